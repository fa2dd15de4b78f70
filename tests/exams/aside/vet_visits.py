"""Questions about pets at a vet's."""

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    v = raw.assign(bill=pd.to_numeric(raw["bill_usd"].astype(str).str.replace(",", "")))
    return v.assign(day=pd.to_datetime(v["VisitDate"], format="%d %b %Y"))


def questions(v: pd.DataFrame) -> list[Question]:
    species, treatment, bill, insured = v["species"], v["treatment"], v["bill"], v["insured"] == "yes"
    low, high = bill.quantile(0.25), bill.quantile(0.75)
    reach = 1.5 * (high - low)
    age = v["age_yrs"]
    return [
        q("en", "aggregate", "whats the biggest bill", number=bill.max()),
        q("en", "aggregate", "std dev of the age", number=age.std(), **{"or": [age.std(ddof=0)]}),  # pyright: ignore[reportArgumentType]
        q("en", "filter", "median weight of the dogs", number=v["weight_kg"][species == "dog"].median()),
        q("en", "filter", "how many cats came in for surgery",
          number=((species == "cat") & (treatment == "surgery")).sum()),
        q("en", "filter", "how many pets without insurance are older than 10", number=(~insured & (age > 10)).sum()),
        q("en", "groupby", "total billed per vet", pairs=bill.groupby(v["vet"]).sum()),
        q("en", "groupby", "averge bill by speces and treatment", pairs=bill.groupby([species, treatment]).mean()),
        q("en", "percent", "what share of the pets is insured", percent=100 * insured.mean()),
        q("en", "top", "which vet saw the most patients", names=["Dr. Lind"], others=["Dr. Osei", "Dr. Marsh"]),
        q("en", "top", "5 heaviest animals", order=True,
          pairs=v.nlargest(5, "weight_kg").set_index("PetID")["weight_kg"]),
        q("en", "resample", "number of visits per month", pairs=v.groupby(v["day"].dt.strftime("%Y-%m")).size()),
        q("en", "quantile", "90th percentile of bill", number=bill.quantile(0.9)),
        q("en", "correlation", "corelation between weight and age", number=v["weight_kg"].corr(age)),
        q("en", "crosstab", "crosstab species vs insured", pairs=pd.crosstab(species, v["insured"])),
        q("en", "outliers", "how many bill outliers by the iqr rule",
          number=((bill < low - reach) | (bill > high + reach)).sum()),
        q("en", "plot", "box plot of bill by treatment", image=True, plot="box", code_names=["bill_usd", "treatment"]),
        q("en", "save", "save the surgeries as csv", file="csv",
          pairs=v[treatment == "surgery"].set_index("PetID")["age_yrs"]),
        q("en", "follow-up", "number of visits by species", "and by treatment?", pairs=treatment.value_counts(),
          or_pairs=v.groupby([species, treatment]).size()),
        no("en", "will P214 need surgery next year?"),
        no("en", "how many hamsters were treated", word="hamster"),
        no("en", "what colour are most of the cats", word="colour"),
        q("ja", "filter", "保険に入っているペットの平均請求額は?", number=bill[insured].mean()),
        q("ja", "aggregate", "犬の体重の平均", number=v["weight_kg"][species == "dog"].mean()),
    ]  # fmt: skip
