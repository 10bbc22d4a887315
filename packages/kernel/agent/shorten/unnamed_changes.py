# What cut rounds change without a name in the code that says so: chance and the clock, names that are bound in secret, and
# what objects hold beside what they are.
import ast
import re

from .calls import called_in
from .codes import BY_NAMELESS, codes_in, codes_of, globals_read, names_in
from .things import classes, is_a, is_one_of

BY_CHANCE = re.compile(
    r"rand|shuffle|sampl|choice|permut|_split$|uniform|normal|^fit|train|^time|perf_counter|monotonic|^now$|^today$|^next$|generate",
    re.IGNORECASE,
)
OF_THE_SHELL = frozenset(("run_line_magic", "run_cell_magic", "run_cell", "push"))
# What keeps numbers and things of its own, perhaps as many as its rounds, that cannot be exchanged.
OPAQUE = classes(
    "sklearn.base:BaseEstimator lightgbm:Booster xgboost:Booster torch.optim:Optimizer torch.optim.lr_scheduler:LRScheduler "
    "lightning.pytorch:Trainer pytorch_lightning:Trainer transformers.trainer:Trainer keras:Optimizer"
)
# Of trainers, estimators and boosters: what more rounds give another value, but no other form.
KEEPS_FORM = frozenset(
    "predict predict_proba predict_log_proba decision_function transform score fit fit_transform fit_predict train "
    "evaluate test validate save save_model save_pretrained get_params set_params".split()
)


def by_chance(nodes, values):
    """Whether the outcome hangs on random numbers or on the time."""
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, ast.Call):
            names = {called_in(part) or ""}
            for code in codes_of(values.get(getattr(part.func, "id", None))):
                names |= names_in(code)
            if any(BY_CHANCE.search(name) for name in names):
                return True
        elif isinstance(part, ast.Name) and is_a(values.get(part.id), "torch.utils.data", "DataLoader"):
            return True
    return False


def binds_in_secret(texts, values):
    """Whether some code of the notebook may bind names that it does not spell out."""
    for text in texts:
        for part in ast.walk(ast.parse(text)):
            if getattr(part, "id", None) in BY_NAMELESS or getattr(part, "attr", None) in OF_THE_SHELL:
                return True
    return any(OF_THE_SHELL & names_in(code) or BY_NAMELESS & globals_read(code) for code in codes_in(values))


def spills(nodes, name, values):
    """Whether something is taken out of a library's object, got at by this name, that other numbers cannot be given to."""
    parts = [part for node in nodes for part in ast.walk(node)]
    called = {id(part.func) for part in parts if isinstance(part, ast.Call)}
    # Of an answer that nobody uses nothing is taken.
    unused = {id(part.value.func) for part in parts if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call)}
    for part in parts:
        if not isinstance(part, ast.Attribute) or not isinstance(part.ctx, ast.Load) or _root(part) != name:
            continue
        if id(part) in unused or (id(part) in called and part.attr in KEEPS_FORM):
            continue
        try:
            owner = eval(compile(ast.Expression(part.value), "<grus>", "eval"), dict(values))
        except Exception:
            return True
        if is_one_of(owner, OPAQUE):
            return True
    return False


def _root(node):
    """The name at the beginning of `runs[0].model.weight`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            return None
        node = node.value
    return getattr(node, "id", None)
