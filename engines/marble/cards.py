"""The twenty lucky cards as data (§3.5); what they do to a game is in `rules/cards.py`."""

from dataclasses import dataclass
from typing import Annotated, Final

from engines.protocol import Described
from engines.texts import Text


class CardId(Described):
    """The lucky cards, one of each in the deck."""

    L01 = "L01", "Lottery win: receive 20 from the bank."
    L02 = "L02", "Scholarship: receive 10 from the bank."
    L03 = "L03", "Dividend: receive 15 from the bank."
    L04 = "L04", "Birthday: receive 5 from every other player."
    L05 = "L05", "Interest: receive 10 from the bank."
    L06 = "L06", "Speeding fine: 5 into the welfare fund."
    L07 = "L07", "Hospital bill: pay 10 to the bank."
    L08 = "L08", "Donation: 10 into the welfare fund."
    L09 = "L09", "Repairs: pay the bank 3, 6, 10 and 15 for each stage built."
    L10 = "L10", "Storm warning: straight to the deserted island."
    L11 = "L11", "Island escape card: kept until used."
    L12 = "L12", "Toll exemption: kept, waives the next toll by itself."
    L13 = "L13", "To the start, with the salary."
    L14 = "L14", "Invitation to space: forward to space travel."
    L15 = "L15", "Trip to Seoul: forward to Seoul."
    L16 = "L16", "Three cells back, no salary."
    L17 = "L17", "Charity angel: forward to the welfare fund payout."
    L18 = "L18", "Sightseeing: forward to the nearest tourist site."
    L19 = "L19", "Travel costs: give 5 to every other player."
    L20 = "L20", "Property tax: pay the bank 2 for every land owned."


@dataclass(frozen=True, slots=True)
class Card:
    """A lucky card as printed."""

    card_id: Annotated[CardId, "Which card it is."]
    name: Annotated[Text, "Title of the card in the reader's language."]
    effect: Annotated[Text, "What the card does, in the reader's language; money in 만."]
    kept: Annotated[bool, "True if the player keeps it until it is used."]


def _card(card: CardId, name: Text, effect: Text) -> Card:
    return Card(card, name, effect, card in KEPT)


KEPT: Final = (CardId.L11, CardId.L12)

CARDS: Final[tuple[Card, ...]] = (
    _card(
        CardId.L01,
        Text("복권 당첨", "Lottery Win"),
        Text("은행에서 20을 받아요.", "Receive 20 from the bank."),
    ),
    _card(
        CardId.L02,
        Text("장학금", "Scholarship"),
        Text("은행에서 10을 받아요.", "Receive 10 from the bank."),
    ),
    _card(
        CardId.L03,
        Text("주식 배당", "Dividend"),
        Text("은행에서 15를 받아요.", "Receive 15 from the bank."),
    ),
    _card(
        CardId.L04,
        Text("생일 축하", "Happy Birthday"),
        Text("다른 플레이어 모두에게서 5씩 받아요.", "Receive 5 from every other player."),
    ),
    _card(
        CardId.L05,
        Text("예금 이자", "Interest"),
        Text("은행에서 10을 받아요.", "Receive 10 from the bank."),
    ),
    _card(
        CardId.L06,
        Text("과속 벌금", "Speeding Fine"),
        Text("5를 사회복지기금에 내요.", "Pay 5 into the welfare fund."),
    ),
    _card(
        CardId.L07,
        Text("병원비", "Hospital Bill"),
        Text("은행에 10을 내요.", "Pay 10 to the bank."),
    ),
    _card(
        CardId.L08,
        Text("이웃 돕기 성금", "Helping Neighbours"),
        Text("10을 사회복지기금에 내요.", "Pay 10 into the welfare fund."),
    ),
    _card(
        CardId.L09,
        Text("건물 수리비", "Building Repairs"),
        Text(
            "내 건물마다 별장 3, 빌딩 6, 호텔 10, 랜드마크 15를 은행에 내요. "
            "호텔까지 지은 도시는 19예요.",
            "Pay the bank for every stage you have built: villa 3, building 6, hotel 10, "
            "landmark 15. A city with a hotel costs 19.",
        ),
    ),
    _card(
        CardId.L10,
        Text("폭풍 경보", "Storm Warning"),
        Text(
            "무인도로 바로 가요. 월급은 없고 더블도 끊겨요.",
            "Go straight to the deserted island. No salary, no further roll.",
        ),
    ),
    _card(
        CardId.L11,
        Text("무인도 탈출권", "Island Escape"),
        Text(
            "보관했다가 무인도에서 쓰면 바로 나가요.",
            "Keep it. Use it on the deserted island to leave at once.",
        ),
    ),
    _card(
        CardId.L12,
        Text("통행료 면제권", "Toll Exemption"),
        Text(
            "보관했다가 다음 통행료를 낼 때 저절로 쓰여요.",
            "Keep it. It waives your next toll by itself.",
        ),
    ),
    _card(
        CardId.L13,
        Text("출발지로", "Back to the Start"),
        Text("출발로 가서 월급을 받아요.", "Move to the start and receive the salary."),
    ),
    _card(
        CardId.L14,
        Text("우주 초대장", "Invitation to Space"),
        Text(
            "우주여행 칸까지 앞으로 가요. 출발을 지나면 월급을 받아요.",
            "Move forward to space travel; salary if you pass the start.",
        ),
    ),
    _card(
        CardId.L15,
        Text("서울 관광", "Trip to Seoul"),
        Text(
            "서울까지 앞으로 가요. 출발을 지나면 월급을 받아요.",
            "Move forward to Seoul; salary if you pass the start.",
        ),
    ),
    _card(
        CardId.L16,
        Text("뒤로 3칸", "Three Cells Back"),
        Text("뒤로 3칸 가요. 월급은 없어요.", "Move three cells back. No salary."),
    ),
    _card(
        CardId.L17,
        Text("기부 천사", "Charity Angel"),
        Text(
            "사회복지기금 받는 곳까지 앞으로 가서 적립금을 받아요. 출발을 지나면 월급을 받아요.",
            "Move forward to the welfare fund payout and receive the fund; "
            "salary if you pass the start.",
        ),
    ),
    _card(
        CardId.L18,
        Text("관광 안내", "Sightseeing"),
        Text(
            "앞으로 가장 가까운 관광지까지 가요. 출발을 지나면 월급을 받아요.",
            "Move forward to the nearest tourist site; salary if you pass the start.",
        ),
    ),
    _card(
        CardId.L19,
        Text("여행 경비", "Travel Costs"),
        Text("다른 플레이어 모두에게 5씩 줘요.", "Give 5 to every other player."),
    ),
    _card(
        CardId.L20,
        Text("재산세", "Property Tax"),
        Text(
            "내가 가진 땅 1곳당 2를 은행에 내요.",
            "Pay the bank 2 for every land you own.",
        ),
    ),
)
