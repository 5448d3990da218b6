"""Writes the workbooks of this folder with openpyxl, a library that the product does not use.

Run in this folder: pip install openpyxl && python3 make.py
"""

import datetime
import unicodedata

import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904

DATE = datetime.date


def workbook(name, sheets, change=lambda book: None):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    change(book)
    book.save(f"{name}.xlsx")


def whole(**changed):
    sheets = {
        "Company": [
            ["Setting", "Value"],
            ["Name", "Müller Mobil"],
            ["Time zone", "Europe/Berlin"],
            ["Currency", "EUR"],
            ["Tax percent", 0.19],
            ["Prices include tax", True],
        ],
        "Groups": [["Group", "Name", "Turnaround minutes"], ["klein", "Kleinwagen", 60], ["bus"]],
        "Vehicles": [["Vehicle", "Group"], ["M AB 101", "klein"], ["M AB 102", "klein"], [911, "bus"]],
        "Rates": [
            ["Group", "Rate", "Per day", "Per week", "Valid from", "Valid to"],
            ["klein", "Standard", 39.900000000000006, 240],
            ["klein", "Sommer", "59,90", "1 299,00", DATE(2027, 6, 1), "31.8.2027"],
            ["bus", None, "1.299,00", "8,000.00"],
        ],
        "Extras": [["Extra", "Price", "Per", "At most"], ["Kindersitz", 5, "day", 30], ["Ketten", 25, "rental"]],
    }
    return {**sheets, **changed}


def percent(book):
    book["Company"]["B5"].number_format = "0%"


def german(book):
    percent(book)
    for cell in ("E3",):
        book["Rates"][cell].number_format = "DD.MM.YYYY"


workbook("german", whole(), german)


def mac(book):
    german(book)
    book.epoch = CALENDAR_MAC_1904


workbook("mac1904", whole(), mac)


def typed(book):
    """Decomposed umlauts, no-break spaces, other cases, hidden rows, sheets of the owner's own."""
    sheet = book["COMPANY"]
    sheet["B5"].number_format = "0 %"
    sheet["B2"] = unicodedata.normalize("NFD", "Müller Mobil")
    book["Vehicles"]["A2"] = "M\u00a0AB\u00a0101 "
    book["Vehicles"]["A1"] = " vehicle"
    book["Vehicles"].row_dimensions[3].hidden = True
    book["Rates"]["C1"] = "PER DAY"
    book["Groups"].column_dimensions["B"].hidden = True
    own = book.create_sheet("Notes")
    own["A1"] = "=1/0"
    own["XFD1048576"] = 1


cased = {("COMPANY" if name == "Company" else name): rows for name, rows in whole().items()}
workbook("typed", cased, typed)


def merged(book):
    percent(book)
    book["Rates"].merge_cells("A2:A3")


workbook("merged", whole(), merged)


def precise(book):
    percent(book)
    book["Rates"]["C2"] = 59.999


workbook("precise", whole(), precise)

faults = whole(
    Company=[["Setting", "Value"], ["Name", "X"], ["Tax", 0.19], ["Tax percent", 0.19], ["Seasons", "winter"]],
    Groups=[["Group", "Name", "Colour"], ["klein", "Klein", "red"], ["klein", "Klein"]],
    Vehicles=[["Vehicle", "Group"], ["M AB 101", "klien"], [DATE(2027, 1, 2), "klein"], ["m ab 102", "klein"], ["M AB 102", "klein"], [None, "klein"]],
    Rates=[
        ["Group", "Rate", "Per day", "Per week", "Valid from", "Valid to"],
        ["klein", "A", "59.90 €"],
        ["klein", "B", "1.299"],
        ["klein", "C", -5],
        ["klein", "D", 59.999],
        ["klein", "E", 50, "#N/A"],
        ["klein", "F", 50, None, "01/06/2027"],
        ["klein", "G", 50, None, DATE(2027, 6, 2), DATE(2027, 6, 1)],
        ["klein", "H", 50, None, datetime.datetime(2027, 6, 2, 12, 30)],
        ["klein", "I", 50, None, 46539],
        ["klein", "J", True],
        ["klein", "K"],
        ["klein", "L", 50],
        ["klein", "L", 60],
        ["klein", "M", "=1+1"],
    ],
    Extras=[["Extra", "Price", "Per"], ["Kindersitz", 5, "week"], ["Ketten", "frei", "rental"]],
)


def broken(book):
    book["Rates"]["D6"].data_type = "e"


without_unknown_columns = {**faults, "Groups": [["Group", "Name"], ["klein", "Klein"], ["klein", "Klein"]]}
workbook("faults", without_unknown_columns, broken)
workbook(
    "wrongTitles",
    whole(
        Groups=[["Group", "Colour", "Descripton"], ["klein", "red", "x"]],
        Vehicles=[["Vehicle", "Vehicle"], ["M AB 101", "klein"]],
        Rates=[["Group", "Per day", None], ["klein", 5, "note"]],
        Extras=[["Extra", "Price"], ["Kindersitz", 5]],
    ),
)
workbook("similarSheet", {"Vehicels": [["Vehicle", "Group"]], "Groups": [["Group"], ["klein"]]})
workbook("noSheet", {"Sheet1": [["Vehicle", "Group"], ["M AB 101", "klein"]]})


def far(book):
    book["Rates"]["H1000000"] = 1


workbook("farCell", whole(), far)
