// Polars: columns that are not there, pandas habits, arguments, and types that do not go together.
import type { CheckCase } from './case.js';

const setup = `
import polars as pl
df = pl.DataFrame({
    "name": ["Ann", "Bob", "Cid"],
    "age": [30, 41, 25],
    "city": ["Rome", "Oslo", "Rome"],
    "fare": [7.5, None, 3.0],
})
towns = pl.DataFrame({"town": ["Rome", "Oslo"], "country": ["IT", "NO"]})
`;

const missing = { check: 'polars/missing-column', raises: 'ColumnNotFoundError', line: 1, setup };
const habit = { check: 'attributes/missing-attribute', raises: 'AttributeError', line: 1, setup };
const wrong = { check: 'calls/wrong-arguments', raises: 'TypeError', line: 1, setup };
const types = { check: 'polars/unfit-type', line: 1, setup };

export const polars: readonly CheckCase[] = [
  {
    ...missing,
    name: 'a subscript',
    crash: 'ages = df["Age"]',
    healthy: ['ages = df["age"]', 'ages = df[["age", "name"]]', 'rows = df[0:2]', 'cell = df[0, "age"]'],
  },
  {
    ...missing,
    name: 'select by name',
    crash: 'small = df.select("name", "Age")',
    healthy: ['small = df.select("name", "age")', 'small = df.select("^Z.*$")', 'small = df.select("*")'],
  },
  {
    ...missing,
    name: 'select an expression',
    crash: 'mean = df.select(pl.col("Age").mean().alias("mean"))',
    healthy: 'mean = df.select(pl.col("age").mean().alias("mean"), pl.lit("Age"))',
  },
  {
    ...missing,
    name: 'filter',
    crash: 'old = df.filter((pl.col("age") > 30) & (pl.col("City") == "Rome"))',
    healthy: 'old = df.filter((pl.col("age") > 30) & (pl.col("city") == "Rome"))',
  },
  {
    ...missing,
    name: 'a new column of a missing one',
    crash: 'df = df.with_columns((pl.col("price") * 2).alias("double"))',
    healthy: 'df = df.with_columns((pl.col("fare") * 2).alias("double"))\ndf["double"]',
  },
  {
    ...missing,
    name: 'a column of the same call',
    crash: 'df.with_columns(twice=pl.col("age") * 2, more=pl.col("twice") + 1)',
    healthy: 'df.with_columns(twice=pl.col("age") * 2).with_columns(more=pl.col("twice") + 1)',
  },
  {
    ...missing,
    name: 'group by',
    crash: 'means = df.group_by("City").agg(pl.col("age").mean())',
    healthy: ['means = df.group_by("city").agg(pl.col("age").mean())', 'groups = df.group_by("City")'],
  },
  {
    ...missing,
    name: 'aggregate',
    crash: 'means = df.group_by("city").agg(pl.mean("Age"))',
    healthy: 'means = df.group_by("city").agg(pl.mean("age"), pl.len())',
  },
  {
    ...missing,
    name: 'a column that was aggregated away',
    crash: 'by_city = df.group_by("city").agg(pl.col("age").sum())\nby_city.sort("fare")',
    line: 2,
    healthy: 'by_city = df.group_by("city").agg(pl.col("age").sum())\nby_city.sort("age")',
  },
  {
    ...missing,
    name: 'sort',
    crash: 'df.sort("Fare", descending=True)',
    healthy: 'df.sort("fare", descending=True)',
  },
  {
    ...missing,
    name: 'join on a column of one side',
    crash: 'df.join(towns, on="city", how="left")',
    healthy: [
      'df.join(towns, left_on="city", right_on="town", how="left").select("country")',
      'df.join(towns.rename({"town": "city"}), on="city").select("country")',
    ],
  },
  {
    ...missing,
    name: 'drop',
    crash: 'df = df.drop("fare")\ndf = df.drop("fare")',
    line: 2,
    healthy: ['df = df.drop("fare")\ndf = df.drop("fare", strict=False)', 'df = df.drop("fare", "age")'],
  },
  {
    ...missing,
    name: 'a renamed column',
    crash: 'people = df.rename({"name": "who"})\npeople["name"]',
    line: 2,
    healthy: 'people = df.rename({"name": "who"})\npeople["who"]',
  },
  {
    ...missing,
    name: 'a lazy frame, when it is collected',
    crash: 'plan = df.lazy().filter(pl.col("Age") > 30)\nresult = plan.collect()',
    line: 2,
    healthy: [
      'plan = df.lazy().filter(pl.col("age") > 30)\nresult = plan.collect()',
      'plan = df.lazy().filter(pl.col("Age") > 30)',
    ],
  },
  {
    ...missing,
    name: 'a window',
    crash: 'df.with_columns(pl.col("age").mean().over("town").alias("mean"))',
    healthy: 'df.with_columns(pl.col("age").mean().over("city").alias("mean"))',
  },
  { ...habit, name: 'groupby', crash: 'df.groupby("city")', healthy: 'df.group_by("city")' },
  { ...habit, name: 'loc', crash: 'df.loc[0, "age"]', healthy: 'df[0, "age"]' },
  { ...habit, name: 'a column as an attribute', crash: 'df.age.mean()', healthy: 'df["age"].mean()' },
  {
    ...habit,
    name: 'of a result',
    crash: 'old = df.filter(pl.col("age") > 30)\nold.sort_values("age")',
    line: 2,
    healthy: 'old = df.filter(pl.col("age") > 30)\nold.sort("age")',
  },
  { ...habit, name: 'of a column', crash: 'df["fare"].fillna(0)', healthy: 'df["fare"].fill_null(0)' },
  {
    ...wrong,
    name: 'ascending',
    crash: 'df.sort("age", ascending=False)',
    healthy: 'df.sort("age", descending=True)',
  },
  {
    ...wrong,
    name: 'axis',
    crash: 'pl.concat([df, df], axis=0)',
    healthy: 'pl.concat([df, df], how="vertical")',
  },
  {
    check: 'polars/column-assignment',
    setup,
    crash: 'df["double"] = df["age"] * 2',
    raises: 'TypeError',
    line: 1,
    healthy: ['df = df.with_columns((df["age"] * 2).alias("double"))', 'df[0, "age"] = 31'],
  },
  {
    ...types,
    name: 'text and number',
    crash: 'df.with_columns(pl.col("city") + pl.col("age"))',
    raises: 'InvalidOperationError',
    healthy: [
      'df.with_columns(pl.col("city") + pl.col("age").cast(pl.String))',
      'df.with_columns(pl.col("fare") + pl.col("age"))',
      'df.with_columns(pl.col("city") + "!")',
    ],
  },
  {
    ...types,
    name: 'text of a number',
    crash: 'df.select(pl.col("age").str.to_uppercase())',
    raises: 'SchemaError',
    healthy: 'df.select(pl.col("city").str.to_uppercase())',
  },
  {
    check: 'polars/expression-truth',
    setup,
    crash: 'df.filter(pl.col("age") > 30 and pl.col("fare") < 5)',
    raises: 'TypeError',
    line: 1,
    healthy: 'df.filter((pl.col("age") > 30) & (pl.col("fare") < 5))',
  },
  {
    ...missing,
    name: 'what is not followed is left alone',
    crash: 'df.with_columns(pl.when(pl.col("Age") > 30).then(1).otherwise(0).alias("old"))',
    healthy: [
      'df.with_columns(pl.when(pl.col("age") > 30).then(1).otherwise(0).alias("old")).select("old")',
      'df.select(pl.all().name.suffix("_old")).select("age_old")',
      'df.select(pl.col("age").name.prefix("my_"))["my_age"]',
      'df.select(pl.col("^a.*$"), pl.exclude("age"))["city"]',
      'df.with_row_index("row").filter(pl.col("row") > 0)',
      'df.select(pl.struct("name", "age").alias("both")).unnest("both")["age"]',
      'df.insert_column(0, pl.Series("first", [1, 2, 3]))\ndf["first"]',
      'df.columns = ["a", "b", "c", "d"]\ndf["a"]',
      'df.group_by("city").agg(pl.all()).explode("age", "name", "fare")["name"]',
      'df.join(df, on="name", suffix="_2").select("age_2")',
      'df.join(df, on="name").select("age_right")',
      'df.join(towns, left_on="city", right_on="town", how="full").select("town")',
      'columns = [pl.col("age").alias(name) for name in ["x", "y"]]\ndf.select(columns)["y"]',
      'df.select(**{"x": pl.col("age")})["x"]',
      'df.rename(str.upper)["AGE"]',
      'df.rename({"Age": "x"}, strict=False)["age"]',
      'try:\n    df["Age"]\nexcept pl.exceptions.ColumnNotFoundError:\n    pass',
      'if "Age" in df.columns:\n    df["Age"]',
      'def double(frame):\n    return frame.with_columns(double=pl.col("age") * 2)\ndf.pipe(double)["double"]',
      'for label in df.columns:\n    df[label].null_count()',
      'wide = df.pivot("city", index="name", values="age")\nwide["Rome"]',
      'df.lazy().select(pl.col("age").alias("x")).collect()["x"]',
      'df.sql("select age as x from self")["x"]',
      'df.sort(pl.col("age").neg()).filter(pl.col("city").is_in(["Rome"])).select(pl.len()).item()',
      'df.with_columns(pl.lit(pl.Series("extra", [1, 2, 3])))["extra"]',
      '@pl.api.register_dataframe_namespace("mine")\nclass Mine:\n    def __init__(self, frame):\n        self.frame = frame\n    def rows(self):\n        return self.frame.height\ndf.mine.rows()',
      'df.filter(pl.col("age") > 30).shape[0] + df["age"].len() + df.height',
      'df.select(pl.col("name").str.len_chars() + pl.col("age"), (pl.col("city") + "x").alias("c")).to_dicts()[0]["c"]',
    ],
  },
];
