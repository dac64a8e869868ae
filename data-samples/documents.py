"""Documents as a crawl leaves them: good articles in six languages, and the usual rubbish.

Every text is invented. `pages()` returns (url, document) pairs; a document is paragraphs
separated by blank lines, as `html_document` writes them.
"""

import json

ENGLISH = [
    """The harbour of Ellmouth was built by three brothers who had never seen the sea before. They came down from the hills with two carts of stone and a plan that they had drawn on the back of a sermon. Nobody in the village believed that the wall would survive its first winter.
It did survive, and it is still there. The stones were laid without mortar, so that the water can run through the gaps instead of pushing against the wall. An engineer who measured it last year said that she would not change anything except the railing.
The town now wants to widen the road behind the wall, and the old question has come back. Some people would like to have a modern pier with room for larger boats. Others think that the wall is the only reason why visitors stop in Ellmouth at all.
A decision will be made in the spring, after the fishermen have been heard. Until then the road remains closed for lorries on market days.""",
    """Growing beans in a short summer is mostly a matter of patience. The soil has to be warm before the seeds are planted, and that can take until the middle of June. People who plant early usually plant twice.
Our garden lies on the north side of a valley, where the frost stays longer than it should. We tried five kinds of beans over the last four years, and we kept a notebook of every harvest. The small white ones were the most reliable, but the spotted ones tasted better.
What helped more than anything else was a low wall of dark stones behind the bed. The stones take in the heat of the day and give it back at night. In the second year the plants next to the wall were ripe nine days before the others.
If you have no stones, a row of old bottles filled with water will do the same. It does not look nice, but it works.""",
    """The last typewriter repair shop in the county is run by a woman who learned the trade from her grandfather. She opens at seven in the morning and closes when the last customer has gone home. On most days there are more visitors than customers.
"They want to hear the sound," she says, and she lets them type a line on the heavy green machine near the window. The machine was made for a railway office and has no letter for the number one. People used a small letter instead, and nobody seemed to mind.
Spare parts are a problem that has to be solved again every week. She buys broken machines at auctions, takes them apart and sorts the pieces into drawers that are labelled with her grandfather's handwriting. A good spring can be worth more than the machine that it came from.
She has been asked to write a book about her work. She would do it, she says, if she could find the time to type it.""",
    """Measuring rain sounds like a simple thing to do, but the numbers depend on where the gauge has been placed. A gauge on a roof collects less water than a gauge on the ground, because the wind is stronger there. The difference can be as large as a fifth.
The observers of the valley network have agreed on a few rules. The rim of the gauge has to be one metre above the ground, and no tree may be closer than twice its height. Readings are taken at seven in the morning, also on Sundays and holidays.
Last year forty volunteers sent in more than fourteen thousand readings. Only eleven of them had to be corrected, and nine of these came from a gauge that a family of mice had chosen as a home.
The complete series will be printed in the autumn. It shows that the wettest place in the valley is not where everybody thought it would be.""",
    """When the library of Northam burned down, it had just finished a list of all its books. The list was kept in another building, and so the town knew exactly what it had lost. There were eleven thousand volumes, and most of them could be bought again.
The others could not, and this is where the story becomes interesting. A teacher asked the readers to write down what they remembered of the missing books. Within two years she had received more than nine hundred letters from all over the country.
Some letters contained whole chapters that had been learned by heart at school. Others described only the smell of the pages or the colour of a picture. She put all of them on the shelves, in the places where the books had been.
Visitors may read them with clean hands. The shelf with the letters is the one that is used most.""",
    """Every bridge in the old town has a number, but nobody uses the numbers. People name the bridges after the shops that used to stand beside them, and most of these shops have been gone for a century. A stranger who asks for the Candle Bridge will be sent to a place where there is a bank.
The city has tried twice to replace the names with signs. The first signs were stolen within a month, and the second ones were painted over by somebody who knew the history better than the office did.
Now a group of pupils has collected the names from their grandparents and drawn a map. It has forty bridges and sixty-one names, because several bridges are called differently on their two sides.
The map can be bought at the station for a small sum. The money will be used to repair the lamp on the Candle Bridge.""",
]

GERMAN = [
    """Die alte Mühle am Ortsrand von Lindau stand fast vierzig Jahre leer. Erst als ein junges Ehepaar das Haus kaufte, begann sich das Rad wieder zu drehen. Heute mahlen die beiden dort jeden Samstag das Getreide der Bauern aus der Umgebung.
Der Anfang war schwierig, denn niemand wusste mehr, wie die Steine geschärft werden. Ein früherer Müller, der inzwischen neunzig Jahre alt ist, zeigte es ihnen an drei Nachmittagen. Seitdem hängt sein Hammer neben der Tür, und er kommt gern zu Besuch.
Die Gemeinde hat den Weg zur Mühle erneuert und eine Bank aufgestellt. Von dort aus sieht man den Bach, das Wehr und die Obstwiesen auf der anderen Seite. Im Herbst gibt es frisches Brot, das nach wenigen Stunden ausverkauft ist.
Wer die Mühle besichtigen möchte, kann sich im Rathaus anmelden. Eine Führung dauert etwa eine Stunde und kostet nichts.""",
    """Wer im Winter Vögel füttert, sollte das Futter trocken halten. Nasse Körner verderben schnell und machen die Tiere krank. Am besten eignet sich ein kleines Häuschen mit einem Dach, das auf allen Seiten übersteht.
Meisen und Finken mögen Sonnenblumenkerne, während Amseln lieber Äpfel und Haferflocken fressen. Brot gehört nicht in das Häuschen, weil es zu viel Salz enthält. Auch gewürzte Reste vom Mittagessen sind für die Vögel nicht geeignet.
Das Häuschen steht an einem Ort, den keine Katze unbemerkt erreichen kann. Zwei Meter Abstand zum nächsten Busch genügen meistens. Außerdem soll man es jede Woche mit heißem Wasser reinigen.
Im Frühling finden die Vögel wieder genug Nahrung. Dann kann das Häuschen bis zum nächsten Frost in den Keller.""",
    """Der Nachtzug nach Süden fährt seit diesem Frühjahr wieder. Er verlässt den Bahnhof kurz nach zehn und erreicht die Küste, wenn dort die ersten Bäckereien öffnen. Wer früh bucht, bezahlt für ein Bett weniger als für ein Zimmer im Hotel.
Die Wagen sind nicht neu, aber sie wurden sorgfältig überholt. In jedem Abteil gibt es Licht zum Lesen, eine Steckdose und ein Fenster, das sich öffnen lässt. Der Schaffner bringt am Morgen Kaffee und die Zeitung der Stadt, durch die der Zug gerade fährt.
Viele Reisende erzählen, dass sie im Zug besser schlafen als zu Hause. Andere bleiben die ganze Nacht wach, weil sie den Mond über den Bergen sehen wollen. Beides ist erlaubt, solange man leise ist.
Im Sommer soll ein zweiter Zug dazukommen. Die Strecke steht noch nicht fest.""",
]

JAPANESE = [
    """港町の朝は、魚を運ぶ小さなトラックの音で始まります。市場の人たちは四時には起きて、船が戻ってくるのを待っています。私がこの町に引っ越してきたのは、三年前の春のことでした。
はじめのうちは、言葉の調子が強くて、いつも怒られているように感じました。けれども、毎日同じ店で味噌汁を飲んでいるうちに、それがこの土地の親しみ方なのだと分かってきました。
去年の秋には、近所の人に誘われて、初めて船に乗せてもらいました。波は静かでしたが、私は三十分で気分が悪くなってしまいました。船長は笑いながら、最初はみんなそうだと言ってくれました。
今では、魚の名前を二十ほど覚えました。さばき方はまだ下手ですが、煮付けだけは家族にほめられるようになりました。""",
    """庭にいちじくの木を植えてから、もう十年になります。苗を買ったときは膝くらいの高さしかありませんでしたが、今では屋根に届くほど大きくなりました。
いちじくは乾燥に弱いので、夏のあいだは朝と夕方に水をやります。根元にわらを敷いておくと、土が乾きにくくなり、雑草も生えにくくなります。肥料は冬に一度だけ与えれば十分です。
実が熟すのは八月の終わりから十月にかけてです。鳥に食べられないように、熟しそうな実には紙の袋をかけておきます。袋をかけ忘れた実は、たいてい一日でなくなってしまいます。
たくさん採れた年には、砂糖と少しのレモンでジャムを作ります。焦げやすいので、鍋のそばを離れないことが大切です。""",
    """町の図書館で、古い地図を読む会が開かれています。参加するのは十五人ほどで、学生もいれば、八十歳を過ぎた方もいます。毎月一枚の地図を選び、今の町と比べながらゆっくり話し合います。
先月の地図は、百年ほど前に測量されたものでした。駅のあたりはまだ田んぼで、川は今よりもずっと東を流れていました。大雨のあとに流れが変わったという話を、祖父から聞いたという人もいました。
地図に描かれた小さな神社の印をたどって、実際に歩いてみたこともあります。半分ほどは今も残っていて、残りは道路や学校になっていました。
会の記録は、来年の春に冊子としてまとめられる予定です。希望する人は、図書館の窓口で受け取ることができます。""",
    """パンを焼くときに一番難しいのは、発酵の終わりを見きわめることです。本には時間が書いてありますが、台所の温度は家によって違います。指で軽く押して、跡がゆっくり戻るくらいがちょうどよいと言われています。
粉は、できれば新しいものを使います。開けてから半年たった粉では、同じように作っても香りが弱くなります。塩を忘れると生地がだれて、うまくふくらみません。
我が家では、前の晩に生地をこねて、冷蔵庫に入れておきます。朝になったら形を整えて、一時間ほど置いてから焼きます。焼きたての匂いで目を覚ますのは、とても気持ちのよいものです。
余ったパンは薄く切って、もう一度焼くと、かりかりのおやつになります。""",
    """自転車で川沿いの道を走るのが、週末の楽しみになっています。家から海までは四十キロほどあり、休みながら行くと三時間かかります。途中には桜の並木があり、春には花びらで道が白くなります。
橋を三つ越えると、景色が急に広くなります。畑では玉ねぎやキャベツが作られていて、農家の人が手を振ってくれることもあります。風の強い日は、帰り道がとても長く感じられます。
最近は、小学生の娘もいっしょに走るようになりました。まだ十キロが限界ですが、少しずつ距離をのばしています。疲れたときのために、鞄にはいつも飴を入れています。
いつか二人で海まで行くのが、今の目標です。""",
    """古い時計を直す仕事をしています。持ち込まれる時計の多くは、亡くなった家族の形見です。動くようになることよりも、音をもう一度聞きたいという方が少なくありません。
部品が手に入らないときは、真鍮の板から自分で作ります。歯車を一つ作るのに、丸一日かかることもあります。できあがった歯車が正しくかみ合ったときの感触は、何度経験してもうれしいものです。
修理を終えた時計は、一週間のあいだ店の棚に置いて、遅れや進みを調べます。温度が変わると、わずかに速さが変わるからです。
弟子は取っていませんが、近所の中学生が毎日のように見に来ます。いつか道具を譲ってもよいと思っています。""",
]

CHINESE = [
    """这座小镇建在两条河的中间，到了夏天，水位常常会涨到桥下。镇上的老人说，他们小时候每年都要搬一次家，把粮食和被子放到山上的庙里。后来修了堤坝，大家才安定下来。
如今镇上最热闹的地方是东边的市场。每天早上五点，卖菜的农民就把车停在路边，把新鲜的蔬菜摆出来。来晚的人只能买到剩下的白菜和萝卜。
市场旁边有一家茶馆，已经开了六十多年。老板不喜欢说话，但是他记得每一位客人爱喝什么茶。下雨的时候，人们会在那里坐上整整一个下午。
去年有人想把茶馆改成旅馆，老板没有同意。他说，只要还有人来喝茶，他就会继续开下去。""",
    """学习一门新的语言，最重要的是每天坚持。很多人开始的时候很努力，过了一个月就放弃了，因为他们觉得自己没有进步。其实进步是慢慢发生的，自己往往看不见。
我的办法是每天写五句话，写当天看到的事情。刚开始的时候，写五句话需要半个小时，现在只需要几分钟。写完以后，我会大声地读一遍，听听哪里不自然。
如果有机会和当地人聊天，不要害怕说错。大多数人都很愿意帮助你，他们会用简单的词再说一遍。我从一位卖水果的阿姨那里学到的东西，比从书里学到的还多。
两年以后，我已经可以看懂报纸了。虽然还有很多生词，但是意思大概都能明白。""",
    """我们学校的后面有一片竹林，春天的时候可以挖竹笋。老师带着学生们一早就出发，每个人都拿着一把小锄头。竹笋藏在土里，要用脚轻轻地踩，才能找到它们的位置。
挖竹笋看起来容易，做起来却很累。挖得太浅，竹笋会断；挖得太深，又会伤到根。有经验的人只要三下就能挖出一棵完整的竹笋。
中午大家把竹笋洗干净，放在大锅里和咸肉一起煮。香味飘到很远的地方，连路过的人也停下来问我们在煮什么。
吃完饭以后，每个学生都要写一篇短文。写得最好的那一篇，会贴在教室的墙上，一直到第二年的春天。""",
]

THAI = [
    """ตลาดเช้าของหมู่บ้านเปิดตั้งแต่ตีห้า ชาวบ้านนำผักและผลไม้จากสวนของตัวเองมาวางขายริมถนน คนที่มาสายมักจะเหลือแต่ของที่คนอื่นไม่เลือกแล้ว
คุณยายของฉันขายขนมอยู่ที่นั่นมานานกว่าสามสิบปี ท่านตื่นตั้งแต่ตีสองเพื่อขูดมะพร้าวและนึ่งแป้ง ขนมของท่านหมดก่อนแปดโมงทุกวัน แต่ท่านไม่เคยทำเพิ่ม
เมื่อถามว่าทำไม ท่านตอบว่าถ้าทำมากเกินไปก็จะไม่มีเวลานั่งคุยกับเพื่อน ฉันคิดว่าท่านพูดถูก เพราะคนจำนวนมากมาที่ตลาดเพื่อคุยกันมากกว่ามาซื้อของ
ปีหน้าทางอำเภอจะสร้างหลังคาให้ตลาด ทุกคนดีใจเพราะต่อไปนี้ฝนตกก็ยังขายของได้ตามปกติ""",
    """การปลูกต้นมะม่วงในกระถางไม่ใช่เรื่องยาก ถ้าเลือกพันธุ์ที่ไม่สูงเกินไปและวางไว้ในที่ที่มีแดดตลอดวัน กระถางควรมีรูระบายน้ำและกว้างอย่างน้อยห้าสิบเซนติเมตร
ในช่วงปีแรกควรรดน้ำทุกวันในตอนเช้า แต่อย่าให้น้ำขังอยู่ในจานรองเพราะรากจะเน่า เมื่อต้นแข็งแรงแล้วจึงค่อยลดเหลือวันเว้นวัน
ปุ๋ยที่ดีที่สุดคือปุ๋ยหมักจากใบไม้แห้งและเศษผักในครัว ใส่เดือนละครั้งก็เพียงพอ หากใบเริ่มเหลืองให้ย้ายต้นไปอยู่ในที่ร่มสักสองสามวัน
หลังจากสามปีต้นมะม่วงจะเริ่มออกดอก เวลานั้นควรเก็บผลไว้เพียงไม่กี่ลูกเพื่อให้ลูกที่เหลือหวานและโตเต็มที่""",
]

ARABIC = [
    """تقع المدينة القديمة على تلة صغيرة قرب البحر، وكان التجار يصلون إليها من كل مكان. في الصباح يفتح الباعة محلاتهم ويضعون الفواكه والتوابل أمام الأبواب. رائحة القهوة تملأ الشوارع الضيقة حتى وقت الظهر.
كان جدي يعمل في ورشة لصناعة الأبواب الخشبية، وكان يعرف كل باب صنعه بيديه. عندما نمشي معه في المدينة يتوقف أمام كل بيت ويحكي لنا قصة أصحابه. بعض هذه الأبواب ما زال قويا رغم مرور سبعين سنة على صنعه.
في السنوات الأخيرة بدأ الشباب يعودون إلى هذه المهنة. فتحت البلدية مدرسة صغيرة يتعلم فيها الطلاب كيف يختارون الخشب وكيف ينقشون عليه. ويأتي الزوار من بلاد بعيدة لكي يشاهدوا العمل.
سوف يقام معرض كبير في الربيع القادم، وسوف تعرض فيه أقدم الأبواب مع أسماء الذين صنعوها.""",
    """يحتاج شجر الزيتون إلى صبر طويل، فهو لا يعطي ثمارا كثيرة قبل مرور عشر سنوات. زرع والدي هذه الأشجار عندما كنت طفلا، وأنا اليوم أجمع الزيتون مع أولادي. في كل خريف تأتي العائلة كلها إلى الحقل وتعمل معا من الصباح إلى المساء.
نأخذ الزيتون إلى المعصرة في القرية المجاورة، وننتظر دورنا ونحن نشرب الشاي. صاحب المعصرة رجل كبير في السن، وهو يعرف من لون الزيتون متى تم قطفه. الزيت الجديد لونه أخضر وطعمه قوي في الأيام الأولى.
في العام الماضي كان المطر قليلا، ولذلك لم يكن المحصول جيدا. لكننا لم نحزن كثيرا، لأن الأشجار القديمة تعرف كيف تعيش في سنوات الجفاف.
نحتفظ بجزء من الزيت للبيت ونبيع الباقي في السوق.""",
]

LOREM = """Lorem ipsum dolor sit amet, consectetur adipiscing elit. This is the place where the text of the company will be written. Please have a look at the colours and the fonts of the page.
Lorem ipsum dolor sit amet, consectetur adipiscing elit. The pictures on this page are only examples and will be replaced before the page is opened to the public. We hope that you like the design.
Everything that you see here can be changed with the editor. To begin, choose a paragraph and write your own words."""

# Paragraphs that every page of a shop has.
SHOP_HEADER = """Welcome to the shop of the brothers Teller. We send lamps, shades and cables to every town in the country, and most parcels arrive within three days."""
SHOP_FOOTER = """All prices include the tax. You may return a lamp within thirty days if it has not been used, and we will pay you the price of the lamp.

The shop of the brothers Teller is open from nine to six. Please call before you come, because the bell at the door has been broken since the flood."""
SHOP_PAGES = [
    ("desk-lamp", """The desk lamp with the brass arm has been in our list for twenty years. The arm can be turned in every direction, and the shade stays cool even when the lamp has been burning all day. It comes with a cable of two metres and a plug that fits into every socket of the country. We recommend it to everybody who has to read small letters in the evening."""),
    ("floor-lamp", """This floor lamp was made for a hotel that was never opened. We found thirty of them in a cellar and gave them new cables. The foot is heavy enough to stand on a carpet, and the light can be made darker with a small wheel. No two of the shades have the same colour, so please tell us what you would like to have."""),
    ("lantern", """A lantern for the garden has to survive rain, snow and children. Ours is made of thick glass in a frame of iron, and there is a small roof that keeps the water away from the candle. Hang it on a branch or put it on the stairs. With one candle it will burn for about eight hours, and that is longer than most parties."""),
    ("shade-linen", """The shade of linen fits on all our lamps with a ring of forty millimetres. The linen is woven in a village near the border, where the same family has been doing this for five generations. It can be cleaned with a dry brush, but it should not be washed. In the evening it gives a warm light that is kind to old furniture."""),
]

JA_BLOG_FOOTER = """当ブログの文章や写真を、許可なく転載することはご遠慮ください。
コメントは承認されてから表示されます。返事が遅くなることがありますので、ご了承ください。"""
JA_BLOG = [
    ("0412", """今日は朝からよく晴れていたので、布団を全部ほしました。午後には風が強くなり、洗濯ばさみが三つも飛んでいきました。隣の家の猫が、そのうちの一つをくわえて逃げていくのを見ました。夕方に取り返しに行くと、猫は知らん顔で寝ていました。"""),
    ("0419", """山のふもとの温泉に行ってきました。平日だったので、お客さんは私たちのほかに二人だけでした。お湯は少し熱めで、木の香りがしました。帰りに直売所で山菜を買い、夜は天ぷらにして食べました。苦いものが嫌いな息子も、これはおいしいと言っていました。"""),
    ("0503", """連休なので、押し入れの整理をしました。学生のころの手紙がたくさん出てきて、読んでいるうちに日が暮れてしまいました。捨てるつもりで始めたのに、結局ほとんど箱に戻しました。来年の連休にも、同じことをしているような気がします。"""),
]

EN_MENU = "\n".join(
    "Home|News|Sports|Weather|Business|Travel|Culture|Jobs|Cars|Houses|Shop|Login|Register|Contact|About us|Help|Imprint"
    .split("|")
)
JA_MENU = "\n".join(
    "ホーム|新着情報|会社案内|商品一覧|店舗案内|採用情報|よくある質問|お問い合わせ|サイトマップ|個人情報保護方針|会員登録|ログイン|カートを見る".split("|")
)
ZH_MENU = "\n".join("首页|新闻|体育|财经|娱乐|汽车|房产|旅游|教育|健康|登录|注册|联系我们|关于我们|帮助中心|网站地图".split("|"))
DE_MENU = "\n".join(f"- {name}" for name in "Startseite|Produkte|Leistungen|Unternehmen|Aktuelles|Stellen|Kontakt|Anfahrt|Impressum|Datenschutz|Newsletter|Suche".split("|"))

COOKIES = """We use cookies on this page, because our lawyers want us to tell you so. You can read more about this in our cookie policy.
The museum of buttons opens on the first of May. It shows more than six thousand buttons that have been collected by two sisters over fifty years. Visitors may bring a button of their own and have it entered in the book of the house.
Entry is free for children, and for everybody who has lost a button on the way.
Please read our terms of use and our privacy policy before you write to us. JavaScript must be enabled to see the map."""

SCRIPT = """The results of the village race have been put on this page. It was a cold morning, but everybody had a good time.
function show(id) { document.getElementById(id).style.display = "block"; }
$(".menu").click(function() { $(this).toggle(); });
The winner was the baker, who has won the race for the third time. He said that he gets up early anyway, and that running is easier than carrying flour."""
JA_SCRIPT = """今日の天気は晴れのち曇りです。洗濯物は昼までに取り込んだほうがよいでしょう。
var menu = {"top": 0, "left": 12};
if (menu.top > 0) { menu.left += 1; }
明日は朝から雨になる見込みです。傘を忘れずにお出かけください。
週末は気温が上がり、日中は汗ばむ陽気になりそうです。
来週の後半には、また涼しくなる予想です。"""

LINKS = """Write to the keeper of the list at keeper@lists.example.org if a bird is missing. The list has been kept since the club was founded.
The photographs are at https://birds.example.org/photos?year=2019 and may be used by everybody who names the club. Reports of rare birds should be sent to rare-birds@example.org within a week.
Please do not send pictures that are larger than ten megabytes, because the computer of the club is old. We meet on the second Friday of the month in the room behind the bakery.
The server of the club had the address 203.0.113.77 for a long time, but it has been moved. Everybody who would like to help with the new pages is welcome to come to the next meeting."""
JA_LINKS = """お問い合わせは、電子メールでお願いします。
担当者のアドレスは info@kaeru.example.jp です。
写真は https://kaeru.example.jp/photo/ にまとめてあります。
観察会は毎月第二日曜日に、池のほとりで行っています。
長靴と雨具を忘れずに持ってきてください。
小さなお子さんは、必ず大人といっしょに参加してください。
見つけた蛙は、観察したあとで池に戻します。"""

WIKIPEDIA = """青葉川（あおばがわ）は、架空の県の中央部を流れる川である[1]。延長は四十二キロメートルで、流域の人口はおよそ八万人とされる[2][3]。
源流は県境の山地にあり、上流には二つの滝がある[要出典]。中流の盆地では古くから稲作が行われ、江戸時代には水車が百基を超えたという[4]。
一九五三年の洪水では、下流の町が三日間にわたって水につかった{{要出典|date=2019年4月}}。その後、上流に遊水地が作られ、大きな被害は起きていない[5]。
川の名前の由来については諸説がある[誰?]。もっとも有力なのは、両岸の若葉が水面を青く染めたためとする説である[リンク切れ]。
現在は遊歩道が整備され、春には多くの花見客が訪れる[6]。"""

NG_WORDS = """掲示板の管理について、利用者の皆さんにお知らせがあります。
最近、ほかの人を「馬鹿」や「阿呆」と呼ぶ書き込みが増えています。
そのような言葉は、見つけしだい削除することにしました。
何度もくり返す人には、書き込みを遠慮していただきます。
馬鹿げた決まりだと思う方もいるかもしれませんが、ご協力をお願いします。
気持ちよく話せる場所を、みんなで守っていきましょう。"""
NG_INSIDE = """千葉県の山あいに、馬鹿力で知られた男の話が残っています。
男は大雨の夜に、流されかけた橋を一人で支えたと言われています。
村の人たちは感謝して、男の名前を橋につけました。
橋は昭和の中ごろに架けかえられ、今は石の柱だけが残っています。
毎年の祭りでは、子どもたちが大きな綱を引いて力を競います。
勝った組には、その年に採れた米が一俵おくられます。"""

REPEATED_LINE = "\n".join(["Click here to see the offer of the day in your town."] * 14)
JA_REPEATED = "\n".join(
    ["この商品についてのレビューはまだありません。", "カートに入れる"] * 12
    + ["送料は全国一律で五百円です。ご注文はお早めにお願いします。"]
)
ADJACENT = """町内会からのお知らせです。
町内会からのお知らせです。
次の日曜日に、公園の掃除を行います。
次の日曜日に、公園の掃除を行います。
次の日曜日に、公園の掃除を行います。
軍手とごみ袋は、こちらで用意します。
雨のときは、その次の週に延期します。
終わったあとに、お茶とお菓子を用意しています。
小さなお子さんの参加も歓迎します。"""
REPEATED_PHRASE = " ".join(["cheap shoes online buy cheap shoes best price"] * 25)

ELLIPSES = "\n".join(
    f"The story of the {thing} and of the people who lived with it ..."
    for thing in "river|tower|garden|train|island|castle|orchard|lighthouse|market|forest".split("|")
)
BULLETS = "\n".join(
    f"- the {thing} has been moved to the {place} of the building"
    for thing, place in zip(
        "kitchen|office|library|workshop|archive|garage|laundry|studio".split("|"),
        "north|south|east|west|top|front|back|middle".split("|"),
    )
)
SYMBOLS = "\n".join(f"#{tag} #photo #nature the picture of the day ... #{tag}s #instagood #love" for tag in "cat|dog|sea|sky|tree|bird|fish|rose|moon|star".split("|"))
KAOMOJI = """☆★☆★☆★☆★☆★☆★☆★☆★☆★
※※※ 1,980円 → 980円 ※※※
■□■□ 50% OFF!! □■□■
◆◇◆ 03-5550-1234 ◆◇◆
★10:00〜18:00★
☆★☆★☆★☆★☆★☆★☆★☆★☆★"""
TABLE = "\n".join(f"2014/{month:02}/{day:02}\t{month * day % 37}.{day % 10}\t{day * 13 % 101}\t{month * 7 % 29}" for month in (1, 2) for day in range(1, 16))
NO_STOP_WORDS = " ".join(f"{size} {colour} {thing}" for size in ("small", "large", "medium", "huge") for colour in ("red", "green", "white", "black") for thing in ("bolt", "screw", "washer", "nut"))
LONG_WORDS = " ".join(f"verwaltungsgemeinschaftshaushaltssatzungsnummer{number}" for number in range(60))
UPPER_ASCII = "\n".join(["+" + "-" * 30 + "+", "|" + " " * 30 + "|"] * 12)


def paragraphs(article):
    """An article with each line as a paragraph."""
    return article.replace("\n", "\n\n")


def pages():
    articles = [
        ("https://news.example.org/{}.html", ENGLISH),
        ("https://zeitung.example.de/artikel/{}.html", GERMAN),
        ("https://kurashi.example.jp/{}.html", JAPANESE),
        ("https://zhen.example.cn/{}.html", CHINESE),
        ("https://talat.example.th/{}.html", THAI),
        ("https://madina.example.org/{}.html", ARABIC),
    ]
    for address, texts in articles:
        for number, text in enumerate(texts, 1):
            yield address.format(number), paragraphs(text)
    for name, text in SHOP_PAGES:
        yield f"https://teller.example.com/{name}", f"{SHOP_HEADER}\n\n{text}\n\n{SHOP_FOOTER}"
    for name, text in JA_BLOG:
        yield f"https://nikki.example.jp/{name}.html", f"{text}\n\n{JA_BLOG_FOOTER}"

    # Mirrors: the same page at other addresses.
    yield "https://mirror.example.net/news/1.html", paragraphs(ENGLISH[0])
    yield "https://kurashi.example.jp/print?page=2", paragraphs(JAPANESE[1])
    yield "http://www.kurashi.example.jp/2.html", paragraphs(JAPANESE[1])
    # A copy with a few other words.
    yield "https://copy.example.net/library", paragraphs(ENGLISH[4]).replace("nine hundred", "eight hundred")

    yield "https://portal.example.com/", EN_MENU
    yield "https://kaisha.example.jp/", JA_MENU
    yield "https://menhu.example.cn/", ZH_MENU
    yield "https://firma.example.de/", DE_MENU
    yield "https://draft.example.com/", LOREM
    yield "https://buttons.example.org/", COOKIES
    yield "https://race.example.org/results", SCRIPT
    yield "https://tenki.example.jp/", JA_SCRIPT
    yield "https://birds.example.org/contact", LINKS
    yield "https://kaeru.example.jp/", JA_LINKS
    yield "https://jiten.example.jp/wiki/青葉川", WIKIPEDIA
    yield "https://keijiban.example.jp/rules", NG_WORDS
    yield "https://minwa.example.jp/bridge", NG_INSIDE
    yield "https://offers.example.com/today", REPEATED_LINE
    yield "https://mise.example.jp/item/7", JA_REPEATED
    yield "https://chonaikai.example.jp/", ADJACENT
    yield "https://shoes.example.com/", REPEATED_PHRASE
    yield "https://stories.example.org/", ELLIPSES
    yield "https://moving.example.org/", BULLETS
    yield "https://tags.example.com/", SYMBOLS
    yield "https://sale.example.jp/", KAOMOJI
    yield "https://data.example.org/rain.html", TABLE
    yield "https://bolts.example.com/", NO_STOP_WORDS
    yield "https://amt.example.de/nummern", LONG_WORDS
    yield "https://ascii.example.org/box", UPPER_ASCII
    yield "https://short.example.org/", "The page has been moved."
    yield "https://short.example.jp/", "このページは移動しました。"
    yield "https://short.example.jp/closed", "閉店しました。\n長いあいだありがとうございました。"


def jsonl():
    lines = (json.dumps({"url": url, "document": text}, ensure_ascii=False) for url, text in pages())
    return "".join(f"{line}\n" for line in lines).encode()


# Items of an invented benchmark. Some quote pages, in other letters and with other punctuation.
BENCHMARK = [
    ("bridge-1", "Why does nobody use the numbers? PEOPLE NAME THE BRIDGES AFTER THE SHOPS - that used to stand beside them - and most of these shops have been gone for a century.", "Because the shops are remembered."),
    ("rain-1", "A gauge on a roof collects less water than one on the ground. What is the reason for this difference, if the gauges are of the same make and are read at the same time?", "Wind."),
    ("fig-1", "次の文を読んで答えなさい。「いちじくは乾燥に弱いので，夏のあいだは朝と夕方に水をやります。根元にわらを敷いておくと」どうなりますか。", "土が乾きにくくなる。"),
    ("sum-1", "What is 17 + 25?", "42"),
    ("lamp-1", "All prices include the tax! You may return a lamp within thirty days, if it has not been used; and we will pay you the price of the lamp. How long may a customer wait?", "Thirty days."),
]


def benchmark_jsonl():
    names = ["id", "question", "answer"]
    lines = (json.dumps(dict(zip(names, item)), ensure_ascii=False) for item in BENCHMARK)
    return "".join(f"{line}\n" for line in lines).encode()
