"""What players are told about the game before and while they learn it (§1, §9)."""

from typing import Final

from engines.protocol import About, Difficulty, Guide
from engines.texts import Text

GUIDES: Final = (
    Guide(
        "goal",
        Text("목표", "Goal"),
        Text(
            "받침대의 타일을 가장 먼저 모두 내려놓으면 이겨요. 내 차례에는 타일을 내려놓거나, "
            "한 장을 뽑고 차례를 마쳐요.",
            "Be the first to lay all tiles of your rack. In your turn you either lay tiles or "
            "draw one tile and end the turn.",
        ),
    ),
    Guide(
        "groups",
        Text("그룹", "Groups"),
        Text(
            "그룹은 같은 숫자, 서로 다른 색 3~4개예요. 예: 빨강7, 파랑7, 검정7.",
            "A group is one number in three or four different colours, such as red 7, blue 7, "
            "black 7.",
        ),
    ),
    Guide(
        "runs",
        Text("런", "Runs"),
        Text(
            "런은 같은 색, 이어지는 숫자 3개 이상이에요. 예: 파랑3, 파랑4, 파랑5, 파랑6. "
            "1은 항상 가장 작은 수라서 12-13-1은 안 돼요.",
            "A run is three or more consecutive numbers of one colour, such as blue 3, 4, 5, 6. "
            "1 is always the lowest number, so 12-13-1 is not a run.",
        ),
    ),
    Guide(
        "jokers",
        Text("조커", "Jokers"),
        Text(
            "조커는 어떤 타일이든 대신해요. 테이블의 조커도 다른 타일처럼 옮길 수 있지만 "
            "받침대로 가져갈 수는 없어요. 조커의 값은 놓은 순서로 정해져요: "
            "조커-9-10이면 8, 9-10-조커면 11이에요.",
            "A joker stands for any tile. On the table it moves like any other tile but never "
            "goes to a rack. Its place tells its value: joker-9-10 makes it 8, 9-10-joker 11.",
        ),
    ),
    Guide(
        "firstRegistration",
        Text("첫 등록", "First registration"),
        Text(
            "처음 내려놓을 때는 내 타일만으로 새 조합을 만들어 정해진 점수(기본 30점)를 넘겨야 "
            "해요. 그 전에는 테이블의 타일을 옮길 수 없어요.",
            "Your first play makes new sets of your own tiles worth the room's points (usually "
            "30) or more. Before it you can't move tiles on the table.",
        ),
    ),
    Guide(
        "extend",
        Text("재배치 1: 붙이기", "Rearranging 1: extend a run"),
        Text(
            "테이블의 파랑4-5-6에 내 파랑3을 붙여 3-4-5-6을 만들어요.",
            "Put your blue 3 to the blue 4-5-6 on the table to make 3-4-5-6.",
        ),
    ),
    Guide(
        "fourthColor",
        Text("재배치 2: 네 번째 색", "Rearranging 2: the fourth colour"),
        Text(
            "색이 세 개인 8 그룹에 남은 색의 8을 붙여요.",
            "Add the missing colour to a group of three 8s.",
        ),
    ),
    Guide(
        "takeFromGroup",
        Text("재배치 3: 그룹에서 빼기", "Rearranging 3: take from a group"),
        Text(
            "4가 네 색 다 있는 그룹에서 파랑4를 빼서 내 파랑3, 파랑5, 파랑6과 런을 만들어요.",
            "Take the blue 4 from a group of four 4s and make a run with your blue 3, 5 and 6.",
        ),
    ),
    Guide(
        "splitRun",
        Text("재배치 4: 런 쪼개기", "Rearranging 4: split a run"),
        Text(
            "빨강4-5-6-7-8을 내 빨강6으로 4-5-6과 6-7-8로 쪼개요.",
            "Split red 4-5-6-7-8 with your red 6 into 4-5-6 and 6-7-8.",
        ),
    ),
    Guide(
        "time",
        Text("시간", "Time"),
        Text(
            "시간이 다 되면 유효한 초안은 방 설정에 따라 확정되거나 되돌려지고, 무효한 초안은 "
            "되돌린 뒤 벌칙으로 타일을 뽑아요. 아무것도 안 바꿨으면 한 장만 뽑아요.",
            "When the time is up a valid draft is laid or taken back, as the room has it; an "
            "invalid one is taken back and costs tiles. With nothing changed you draw one tile.",
        ),
    ),
    Guide(
        "end",
        Text("끝과 점수", "The end and the points"),
        Text(
            "누군가 타일을 다 내면 나머지는 남은 숫자의 합만큼 잃고 승자가 그만큼 얻어요. "
            "풀이 비고 모두가 이어서 넘기면 남은 합이 가장 작은 사람이 이겨요.",
            "When somebody lays the last tile, the others lose the sum of their racks and the "
            "winner gains it. With an empty pool and everyone passing, the lowest rack wins.",
        ),
    ),
)

ABOUT: Final = About(
    name=Text("숫자 타일", "Number Tiles"),
    summary=Text(
        "네 색의 숫자 타일로 그룹과 런을 만들고, 테이블을 다시 짜 맞춰 "
        "내 타일을 모두 내려놓는 게임이에요.",
        "Make groups and runs of numbered tiles in four colours, rearrange the table, and be "
        "the first to lay them all.",
    ),
    seats=(2, 4),
    minutes=(30, 60),
    difficulty=Difficulty.NORMAL,
    guides=GUIDES,
    unsupported=(
        Text("13 다음에 1을 이어 붙이기", "Going on from 13 to 1"),
        Text("첫 등록 전에 조커 회수하기", "Taking jokers before the first registration"),
        Text("타일 160개로 하는 5~6인 확장", "The game for five or six with 160 tiles"),
        Text(
            "회수한 조커를 새 조합에만 쓰는 엄격한 규칙",
            "The strict rule that a joker taken goes to a new set only",
        ),
    ),
    notice=Text(
        "점수는 방 안의 결과를 보여 주는 용도이고 돈이나 칩이 아니에요. 매치가 끝나면 사라져요.",
        "Points only show the result in the room. They are not money and end with the match.",
    ),
)
