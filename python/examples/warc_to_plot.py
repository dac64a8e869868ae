# %% [markdown]
# # From a web archive to a plot
#
# Which charsets do the pages of a crawl have, and how much of a page is its main text? The archive is one of
# the samples of corpus-sql; any folder with WARC files will do.
# %%
import corpus_sql as cs

INPUT = "data-samples/web/"
# %% [markdown]
# One row per page. The functions parse each page once, on all cores, and a page that cannot be read is a row
# with an error.
# %%
pages = cs.sql(
    """
    SELECT target_uri AS url,
           charset_detect(page['body'], page['charset'])['charset'] AS charset,
           octet_length(page['body']) AS bytes,
           html_main_text(page['body'], page['charset']) AS text
    FROM (SELECT target_uri, http_response(body) AS page FROM read_warc($input)
          WHERE warc_type = 'response')
    WHERE page['sniffed_type'] = 'text/html'
    """,
    params={"input": INPUT},
)
pages
# %% [markdown]
# A data frame holds the whole result. More than memory can hold is read with `for batch in pages`, or written
# with `pages.write_parquet(…)`.
# %%
frame = pages.df()
frame["characters"] = frame["text"].str.len().fillna(0)
frame.groupby("charset")[["bytes", "characters"]].sum()
# %% [markdown]
# The functions also work on single values, for a closer look at one page.
# %%
longest = frame.loc[frame["characters"].idxmax()]
print(longest["url"], cs.text_words(longest["text"])[:5])
# %%
import matplotlib.pyplot as plt

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
frame["charset"].value_counts().plot.barh(ax=left, title="Pages by charset", ylabel="")
frame.plot.scatter("bytes", "characters", ax=right, title="Size of a page and of its main text")
figure.savefig("pages.png")
