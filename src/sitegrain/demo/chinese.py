"""Chinese sentences about the same invented town, from a phrase grammar."""

from __future__ import annotations

from random import Random

from sitegrain.demo.writer import Topic, Writer, pick, some

TOPICS: dict[str, Topic] = {
    "culture": Topic(
        tuple(
            "皮影戏 旧书店 木版年画 茶馆 古琴 竹编灯笼 民谣 石雕 "
            "染布坊 剧团 手抄本 博物馆 书法展 铜钟 陶罐 丝绸屏风".split()
        ),
        tuple("罕见的 朴素的 精巧的 失传已久的 热闹的 手工的 明亮的 有名的".split()),
        tuple("修复了 展出了 记录了 收藏了 模仿了 介绍了 翻译了 发现了".split()),
        tuple("海湾文化馆 老城剧院 民间艺术协会 灯笼博物馆".split()),
    ),
    "city": Topic(
        tuple(
            "电车线路 港口 渡轮 菜市场 图书馆 自行车道 老城墙 喷泉 "
            "路灯 小学 公园 桥梁 水塔 消防站 停车场 垃圾分类站".split()
        ),
        tuple("拥挤的 崭新的 狭窄的 安静的 昂贵的 临时的 破旧的 便利的".split()),
        tuple("扩建了 检查了 关闭了 讨论了 批准了 推迟了 重建了 测量了".split()),
        tuple("市政厅 电车公司 居民委员会 港务局".split()),
    ),
}  # fmt: skip
PEOPLE = tuple("林小舟 陈望潮 赵明灯 周听雨 吴远帆 郑石桥 孙麦青 何晚晴 罗书田 高云起".split())
PLACES = tuple("海鸥街 东门 灯塔路 盐场巷 北码头 风车坡 制绳街 旧炮台".split())
_FIRST = "青 白 云 石 金 玉 松 竹 海 月 星 春".split()
_LAST = "溪 门 桥 坊 亭 阁 湾 岭 台 渡 园 塔".split()
_TIMES = "去年春天 天亮之前 上个星期 暴雨之后 整个冬天 集市那天 三个月以来 六月底".split()
_REASONS = "以前没有人问过 经费早已到位 两份报告互相矛盾 邻居们一再坚持 第一次尝试失败了 旧的记录已经遗失".split()
_SENTENCES = (
    "{time}，{person}在{place}{verb}{adj}{noun}。",
    "{org}表示，这座{adj}{noun}与{noun2}同样重要。",
    "“我们{verb}每一件{noun}，因为{reason}，”{person}说。",
    "据{org}统计，约有{num}户人家依靠{noun}生活。",
    "从{place}走到{place2}，可以看到{noun}，也可以看到{adj}{noun2}。",
    "{person}认为，{noun}的价值不在于{noun2}，而在于人们还记得它。",
    "当地人把这里叫做{name}，{time}，{org}{verb}它的{noun}。",
    "没有人想到{noun2}会变得如此重要，直到{person}{verb}它。",
    "{name}的{noun}共有{num}件，其中{num2}件是{adj}。",
    "如果{noun}能够再坚持一年，{place}的{noun2}就会得到保护。",
    "{time}，{adj}{noun}第一次出现在{place}，大家议论纷纷。",
    "{org}花了{num}天时间{verb}{noun}，理由是{reason}。",
    "{person}的家就在{place}附近，他每天都会经过那座{noun2}。",
    "这份{num2}页的报告说明了{name}如何{verb}{noun}，以及为什么{reason}。",
)
_HEADLINES = (
    "{place}的{noun}重新开放",
    "{person}与{adj}{noun}",
    "{name}：{noun}的故事",
    "谁{verb}{noun2}？",
    "{org}谈{noun}和{noun2}",
    "{num}件{noun}背后的人",
)
_COMMENTS = (
    "我小时候在{place}见过这样的{noun}。",
    "写得真好，{person}的话让人感动。",
    "请问{org}什么时候再{verb}{noun2}？",
    "图片里的{noun}好像不对。",
)


class Chinese(Writer):
    """The writer of one Chinese article."""

    language = "zh"
    forms, headlines, comments, space = _SENTENCES, _HEADLINES, _COMMENTS, ""
    subheads = ("{noun}的由来", "回到{place}", "{name}今昔", "{adj}{noun2}")
    items = ("{adj}{noun}", "{noun}和{noun2}", "{num2}件{noun}")

    def __init__(self, rng: Random, topic: str) -> None:
        self.rng = rng
        words = TOPICS[topic]
        self.nouns = some(rng, words.nouns, 5)
        self.adjectives = some(rng, words.adjectives, 4)
        self.verbs = some(rng, words.verbs, 4)
        self.orgs = some(rng, words.orgs, 2)
        self.people = some(rng, PEOPLE, 3)
        self.places = some(rng, PLACES, 3)
        self.name = pick(rng, _FIRST) + pick(rng, _FIRST) + pick(rng, _LAST)
        self.author = pick(rng, PEOPLE)

    def fill(self, template: str) -> str:
        rng = self.rng
        noun, noun2 = some(rng, self.nouns, 2)
        place, place2 = some(rng, self.places, 2)
        return template.format(
            noun=noun, noun2=noun2, adj=pick(rng, self.adjectives), verb=pick(rng, self.verbs), place=place,
            place2=place2, person=pick(rng, self.people), org=pick(rng, self.orgs), name=self.name,
            time=pick(rng, _TIMES), reason=pick(rng, _REASONS), num=str(11 + int(rng.random() * 880)),
            num2=str(10 + int(rng.random() * 79)),
        )  # fmt: skip
