# What cut rounds change without a name in the code that says so: chance and the clock, names that are bound in secret, and
# what objects hold beside what they are.
import ast
import re

from .uses import NUMBERS, codes_of, is_a, names_in

BY_CHANCE = re.compile(
    r"rand|shuffle|sampl|choice|permut|_split$|uniform|normal|^fit|train|^time|perf_counter|monotonic|^now$|^today$|^next$|generate",
    re.IGNORECASE,
)
IN_SECRET = frozenset(("globals", "locals", "vars", "exec", "eval", "run_line_magic", "run_cell", "push"))
FORMS = (("torch", "Tensor"), ("torch.nn", "Module"))
# Of trainers, estimators and boosters: what more rounds give another value, but no other form.
KEEPS_FORM = frozenset(
    "predict predict_proba predict_log_proba decision_function transform score fit fit_transform fit_predict train "
    "evaluate test validate save save_model save_pretrained get_params set_params".split()
)


def by_chance(nodes, values):
    """Whether the outcome hangs on random numbers or on the time."""
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, ast.Call):
            called = part.func.attr if isinstance(part.func, ast.Attribute) else getattr(part.func, "id", "")
            names = {called}
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
            if isinstance(part, (ast.Name, ast.Attribute)) and getattr(part, "id", getattr(part, "attr", "")) in IN_SECRET:
                return True
    codes = [code for value in list(values.values()) for code in codes_of(value)]
    return any(IN_SECRET & names_in(code) for code in codes)


def spills(nodes, name, value):
    """Whether something is taken out of the object whose size may grow with the rounds."""
    if isinstance(value, NUMBERS) or any(is_a(value, module, kind) for module, kind in FORMS[:1]):
        return False
    parts = [part for node in nodes for part in ast.walk(node)]
    called = {id(part.func) for part in parts if isinstance(part, ast.Call)}
    for part in parts:
        if not (isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == name):
            continue
        if not isinstance(part.ctx, ast.Load):
            continue
        if id(part) in called:
            if not is_a(value, "torch.nn", "Module") and part.attr not in KEEPS_FORM:
                return True
            continue
        try:
            held = getattr(value, part.attr)
        except Exception:
            return True
        if not (isinstance(held, NUMBERS) or any(is_a(held, module, kind) for module, kind in FORMS)):
            return True
    return False
