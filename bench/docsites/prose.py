"""Sentences as manuals have them, in four languages, from word lists and small grammars. Nothing is said twice but by chance."""

from __future__ import annotations

from random import Random


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


ENGLISH = {
    "N": _words(
        "kiln controller, firing schedule, thermocouple, job queue, worker process, configuration file, spool folder, log line, "
        "sensor board, glaze recipe, alarm relay, batch record, cooling curve, user account, access token, backup archive, "
        "message broker, heating element, data logger, shelf plan, serial port, calibration table, retry counter, event handler, "
        "plug-in, command line, lock file, status page, time zone, fan motor, vent flap, gas valve, session cookie, unit test, "
        "checksum, index file, power meter, temperature ramp, network mask, transfer buffer, release branch, error report"
    ),
    "A": _words("stale, remote, optional, slow, empty, nested, current, portable, second, damaged, hidden, default, larger, idle, shared"),
    "V": _words("restart, inspect, replace, measure, rename, export, disable, calibrate, mount, compress, verify, merge, schedule, detach"),
    "W": _words("before the first firing, after every upgrade, while the oven cools, on a quiet machine, at midnight, without root rights, during the night shift, as soon as the lid closes, in a separate window, once a month"),
    "X": _words("two seconds, forty degrees, nine attempts, a full day, three kilobytes, half an hour, twelve shelves, one revision"),
}  # fmt: skip
ENGLISH_SAYINGS = (
    "The {A} {N} is written to the {N} {W}.", "If you {V} the {N}, the {N} keeps its old value for {X}.", "Do not {V} the {A} {N} {W}, because the {N} may still need it.",
    "Each {N} belongs to exactly one {N}, and it can be moved {W}.", "You may {V} any {N} that is older than {X}.", "Most people {V} the {N} first and look at the {A} {N} later.",
    "When the {N} fails, the {A} {N} waits for {X} and then tries again.", "This chapter explains how to {V} the {N} and why the {A} {N} matters.",
    "There is no need to {V} the {N} by hand; the {N} does so {W}.", "A {A} {N} is worth more than any {N} that nobody reads.", "To {V} the {N}, open the {A} {N} and count at least {X}.",
    "It took us {X} to find out that the {N} had lost its {A} {N}.", "Versions older than this one {V} the {N} {W}, which surprised many owners of a {A} {N}.",
    "Both the {N} and the {A} {N} are read {W}.", "Nothing is lost if the {N} stops {W}: the {A} {N} remembers what was done.",
)  # fmt: skip
GERMAN = {
    "N": _words(
        "Ofensteuerung, Brennkurve, Warteschlange, Konfigurationsdatei, Sensorplatine, Glasurrezeptur, Protokollzeile, Zugangsnummer, "
        "Sicherungskopie, Heizspirale, Kalibriertabelle, Statusseite, Zeitzone, Lüfterklappe, Prüfsumme, Indexdatei, Temperaturrampe, "
        "Netzmaske, Fehlermeldung, Schnittstelle, Vorlage, Steckverbindung, Regalplanung, Alarmkette, Benutzerkennung, Datenleitung"
    ),
    "A": _words("veraltete, entfernte, langsame, leere, verschachtelte, tragbare, zweite, beschädigte, verborgene, gemeinsame, kürzere"),
    "V": _words("neu starten, ersetzen, messen, umbenennen, abschalten, prüfen, einbinden, verdichten, zusammenführen, abtrennen"),
    "W": _words("vor dem ersten Brand, nach jeder Aktualisierung, während der Ofen abkühlt, um Mitternacht, ohne besondere Rechte, in der Nachtschicht, einmal im Monat"),
    "X": _words("zwei Sekunden, vierzig Grad, neun Versuche, einen ganzen Tag, eine halbe Stunde, zwölf Ebenen"),
}  # fmt: skip
GERMAN_SAYINGS = (
    "Die {A} {N} wird {W} in die {N} geschrieben.", "Wer die {N} ändert, sollte die {A} {N} für {X} ruhen lassen.", "Man kann die {N} {V}, auch wenn die {A} {N} noch läuft.",
    "Jede {N} gehört zu genau einer {N} und lässt sich {W} verschieben.", "Fällt die {N} aus, so wartet die {A} {N} und versucht es dann noch einmal.",
    "Dieses Kapitel erklärt, wie man eine {N} einrichtet und wozu die {A} {N} dient.", "Bitte {W} niemals die {N} {V}, denn die {A} {N} wird noch gebraucht.",
    "Es hat {X} gedauert, bis wir die {A} {N} gefunden hatten.", "Eine {A} {N} ist mehr wert als jede {N}, die niemand liest.", "Nichts geht verloren, wenn die {N} {W} stehen bleibt.",
    "Sowohl die {N} als auch die {A} {N} werden {W} gelesen.",
)  # fmt: skip
CHINESE = {
    "N": _words("窑炉控制器, 烧成曲线, 热电偶, 任务队列, 配置文件, 日志目录, 传感器板, 釉料配方, 报警继电器, 冷却风扇, 用户账号, 备份文件, 校准表, 状态页面, 校验码, 索引文件, 升温斜率, 传输缓冲区, 错误报告, 发布分支, 命令行工具, 锁文件, 气阀, 电表, 插件目录"),
    "A": _words("过期的, 远程的, 可选的, 空的, 嵌套的, 默认的, 损坏的, 隐藏的, 共享的, 较大的"),
    "V": _words("重新启动, 检查, 替换, 测量, 导出, 禁用, 校准, 压缩, 验证, 合并"),
    "W": _words("在第一次烧成之前, 每次升级之后, 冷却期间, 在午夜, 在单独的窗口里, 每月一次, 夜班的时候"),
    "X": _words("两秒钟, 四十度, 九次, 一整天, 三千字节, 半小时, 十二层"),
}  # fmt: skip
CHINESE_SAYINGS = (
    "{A}{N}会{W}写入{N}。", "如果要{V}{N}，请先确认{A}{N}已经停止了{X}。", "不要{W}{V}{A}{N}，因为{N}可能仍然需要它。", "每个{N}只属于一个{N}，并且可以{W}移动。",
    "当{N}失败时，{A}{N}会等待{X}，然后再试一次。", "本章说明如何{V}{N}，以及为什么{A}{N}很重要。", "没有必要手动{V}{N}，{N}会{W}自动完成。", "我们花了{X}才发现{N}丢失了{A}{N}。",
    "{N}和{A}{N}都会{W}被读取。", "即使{N}{W}停止，也不会丢失任何数据。",
)  # fmt: skip
JAPANESE = {
    "N": _words("窯の制御装置, 焼成スケジュール, 熱電対, ジョブキュー, 設定ファイル, ログの行, センサー基板, 釉薬のレシピ, 警報リレー, 冷却ファン, 利用者アカウント, バックアップ, 校正表, 状態ページ, 検査合計, 索引ファイル, 昇温率, 転送バッファ, エラー報告, ガス弁, 電力計, 拡張機能"),
    "A": _words("古い, 遠隔の, 任意の, 空の, 入れ子の, 標準の, 壊れた, 隠れた, 共有の, 大きな"),
    "V": _words("再起動, 点検, 交換, 測定, 書き出し, 校正, 圧縮, 検証, 統合"),
    "W": _words("最初の焼成の前に, 更新のたびに, 冷却中に, 真夜中に, 別の窓で, 月に一度, 夜勤の間に"),
    "X": _words("二秒間, 四十度, 九回, 丸一日, 三キロバイト, 半時間, 十二段"),
}  # fmt: skip
JAPANESE_SAYINGS = (
    "{A}{N}は{W}{N}に書き込まれます。", "{N}を{V}する場合は、先に{A}{N}が{X}止まっていることを確かめてください。", "{W}{A}{N}を{V}しないでください。{N}がまだ必要とするかもしれません。",
    "{N}はそれぞれ一つの{N}に属し、{W}移動できます。", "{N}が失敗すると、{A}{N}は{X}待ってからもう一度試します。", "この章では、{N}を{V}する方法と、{A}{N}が大切な理由を説明します。",
    "{N}を手で{V}する必要はありません。{N}が{W}行います。", "{N}が{A}{N}を失ったと分かるまで{X}かかりました。", "{N}と{A}{N}は{W}読み込まれます。",
)  # fmt: skip
LANGUAGES = {
    "en": (ENGLISH, ENGLISH_SAYINGS, "{V} the {A} {N}", "The {A} {N}"),
    "de": (GERMAN, GERMAN_SAYINGS, "{N} {V}", "Die {A} {N}"),
    "zh": (CHINESE, CHINESE_SAYINGS, "{V}{A}{N}", "{A}{N}"),
    "ja": (JAPANESE, JAPANESE_SAYINGS, "{A}{N}の{V}", "{A}{N}"),
}


LEADS = {"en": "See ", "de": "Siehe ", "zh": "参见", "ja": "参照："}
"""What stands before a link within a text."""


class Prose:
    """Sentences of one language; titles do not come twice."""

    def __init__(self, language: str, rng: Random) -> None:
        self.words, self.sayings, *self.heads = LANGUAGES[language]
        self.rng = rng
        self.language = language
        self.gap = "" if language in ("zh", "ja") else " "
        self._said: set[str] = set()

    def fill(self, saying: str) -> str:
        out = saying
        for kind, some in self.words.items():
            for word in self.rng.sample(some, min(len(some), out.count("{" + kind + "}"))):
                out = out.replace("{" + kind + "}", word, 1)
        return out[0].upper() + out[1:]

    def sentence(self) -> str:
        return self.fill(self.rng.choice(self.sayings))

    def text(self, least: int, most: int) -> str:
        return self.gap.join(self.sentence() for _ in range(self.rng.randint(least, most)))

    def title(self) -> str:
        while (found := self.fill(self.rng.choice(self.heads))) in self._said:
            pass
        self._said.add(found)
        return found

    def name(self) -> str:
        """A few words: an item of a list, a cell."""
        return self.fill(self.rng.choice(self.heads))

    def word(self) -> str:
        return self.rng.choice(self.words["N"])
