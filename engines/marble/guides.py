"""What a lobby shows of the game, and the help texts for beginners (§9)."""

from typing import Final

from engines.protocol import About, Difficulty, Guide
from engines.texts import Text

_GUIDES: Final = (
    Guide(
        "goal",
        Text("목표", "The goal"),
        Text(
            "세계 도시를 돌며 땅을 사고 건물을 지어 통행료를 받아요. 모두 파산시키거나, "
            "라운드 제한이 끝났을 때 총자산이 가장 많으면 이겨요. "
            "총자산은 현금에 땅값과 건설비를 더한 금액이에요.",
            "Travel the world, buy land, build on it and collect tolls. Win by bankrupting "
            "everybody, or by having the highest total assets when the round limit is reached. "
            "Total assets are cash plus the list price of lands and buildings.",
        ),
    ),
    Guide(
        "start",
        Text("출발과 월급", "Start and salary"),
        Text(
            "출발 칸을 앞으로 지나거나 도착하면 월급을 한 번 받아요.",
            "Passing the start forwards, or ending a move on it, pays the salary once.",
        ),
    ),
    Guide(
        "city",
        Text("도시", "Cities"),
        Text(
            "주인 없는 도시는 살 수 있어요. 내 도시에 다시 도착하면 별장, 빌딩, 호텔 순서로 "
            "한 단계씩 지어요. 남의 도시에 도착하면 통행료를 내요. 주인이 무인도에 있어도 내요.",
            "A city without an owner can be bought. Whenever you come back to your own city you "
            "may build one stage: villa, building, hotel. On another player's city you pay the "
            "toll, even while the owner is on the island.",
        ),
    ),
    Guide(
        "tour",
        Text("관광지", "Tourist sites"),
        Text(
            "관광지에는 건물을 지을 수 없어요. 한 사람이 두 곳 이상 가지면 통행료가 2배예요.",
            "Nothing is built on a tourist site. Its toll doubles while its owner has two or more.",
        ),
    ),
    Guide(
        "card",
        Text("행운카드", "Lucky cards"),
        Text(
            "맨 위 카드를 뽑아 바로 따라요. 무인도 탈출권과 통행료 면제권은 보관해요. "
            "면제권은 다음 통행료에 저절로 쓰여요.",
            "Draw the top card and follow it. The island escape and the toll exemption are kept; "
            "the exemption waives your next toll by itself.",
        ),
    ),
    Guide(
        "fund",
        Text("사회복지기금", "Welfare fund"),
        Text(
            "내는 곳에서는 15만을 적립하고, 받는 곳에서는 쌓인 돈을 모두 받아요.",
            "One cell puts 15만 into the fund, another pays the whole fund out.",
        ),
    ),
    Guide(
        "doubles",
        Text("더블", "Doubles"),
        Text(
            "두 주사위가 같으면 한 번 더 굴려요. 한 차례에 3번 연속이면 무인도로 가요.",
            "Two equal dice mean another roll. The third double in one turn leads to the island.",
        ),
    ),
    Guide(
        "island",
        Text("무인도", "The deserted island"),
        Text(
            "도착하면 갇혀요. 내 차례에 더블이 나오면 그만큼 움직여 나가고, 아니면 쉬어요. "
            "정해진 차례를 다 쉬면 다음부터는 그냥 굴려요. "
            "탈출권이나 탈출비로 바로 나갈 수도 있어요.",
            "Ending a move there traps you. In your turn a double takes you off at once; otherwise "
            "you miss the turn. After the set number of turns you roll as usual. The escape card "
            "or, where the room has one, the fee frees you at once.",
        ),
    ),
    Guide(
        "space",
        Text("우주여행", "Space travel"),
        Text(
            "도착하면 다음 차례에 굴리는 대신 원하는 칸으로 날아가요. 우주센터가 다른 사람 "
            "것이면 탑승료 20만을 내요.",
            "In the turn after you reach it you fly to a cell of your choice instead of rolling. "
            "If another player owns the Space Centre the fee is 20만.",
        ),
    ),
    Guide(
        "debt",
        Text("빚 갚기와 파산", "Debts and bankruptcy"),
        Text(
            "꼭 내야 할 돈이 모자라면 건물과 땅을 절반 값에 팔아 갚아요. 다 모이면 저절로 내요. "
            "전부 팔아도 모자라면 파산해요.",
            "If you can't pay what you must, sell buildings and land at half price until you can; "
            "the debt is then paid by itself. If even that is too little you are bankrupt.",
        ),
    ),
    Guide(
        "takeover",
        Text("인수와 랜드마크", "Takeover and landmark"),
        Text(
            "인수를 켠 방에서는 통행료를 낸 뒤 들인 돈의 2배로 그 도시를 가져올 수 있어요. "
            "관광지와 랜드마크는 인수할 수 없어요.",
            "Where the room plays with takeovers you may take a city for twice what it cost, "
            "after paying its toll. Tourist sites and landmarks can't be taken.",
        ),
    ),
    Guide(
        "monopoly",
        Text("독점 승리", "Monopoly win"),
        Text(
            "독점 승리를 켠 방에서는 도시 그룹 3개, 한 줄의 도시 6곳, 관광지 4곳 중 하나를 "
            "다 모으는 순간 이겨요.",
            "Where the room plays with it, three whole city groups, the six cities of one side, or "
            "all four tourist sites win at once.",
        ),
    ),
    Guide(
        "trade",
        Text("교환", "Trade"),
        Text(
            "교환을 켠 방에서는 굴리기 전에 한 차례 두 번까지 땅과 돈을 바꾸자고 할 수 있어요. "
            "20초 안에 답이 없으면 거절이에요.",
            "Where the room plays with it, you may make up to two offers a turn before rolling. "
            "No answer within 20 seconds means no.",
        ),
    ),
)

_UNSUPPORTED: Final = (
    Text("경매", "Auctions"),
    Text("대출", "Loans"),
    Text("같은 그룹을 모두 가지면 통행료 2배", "Double toll for owning a whole group"),
    Text("도시에서 국제 행사 열기", "Hosting events in a city"),
    Text("세계여행 비용 변형", "Other prices for travelling"),
    Text("통행료 배수 증가", "Tolls that multiply over time"),
    Text("팀전", "Teams"),
    Text(
        "한 도시에 별장·빌딩·호텔을 자유롭게 섞어 짓기",
        "Mixing any number of villas, buildings and hotels in one city",
    ),
)

ABOUT: Final = About(
    name=Text("세계 여행 땅따먹기", "World Land Race"),
    summary=Text(
        "주사위를 굴려 세계 도시 40칸을 돌며 땅을 사고 건물을 지어 통행료를 받는 게임",
        "Roll around a board of world cities, buy land, build on it and collect tolls.",
    ),
    seats=(2, 4),
    minutes=(30, 50),
    difficulty=Difficulty.EASY,
    guides=_GUIDES,
    unsupported=_UNSUPPORTED,
    notice=Text(
        "돈은 방 안에서만 쓰는 가상 화폐예요. 게임이 끝나면 사라지고 저장·이월·교환되지 않아요.",
        "The money is virtual and exists in this match only. It ends with the match and is never "
        "stored, carried over or exchanged.",
    ),
)
