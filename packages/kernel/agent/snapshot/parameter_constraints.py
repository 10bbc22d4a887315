# Whether a scikit-learn class accepts parameters: asked of the constraints that the installed version declares and checks
# itself when `fit` is called. Only classes of scikit-learn that are loaded are asked, and only about plain values.
import sys

from ..objects.lookup import class_module, find_in_class, is_class, module_dict
from ..protocol import reasons

VALIDATION = "sklearn.utils._param_validation"


def judge(path, pairs):
    """`path` is a public name: "sklearn.tree.DecisionTreeClassifier"."""
    module, _, name = path.rpartition(".")
    cls = (module_dict(sys.modules.get(module)) or {}).get(name)
    validate = (module_dict(sys.modules.get(VALIDATION)) or {}).get("validate_parameter_constraints")
    if not is_class(cls) or not class_module(cls).startswith("sklearn.") or validate is None:
        return {"status": "unknown", "reason": reasons.not_declared()}
    constraints, _ = find_in_class(cls, "_parameter_constraints")
    if type(constraints) is not dict:
        return {"status": "unknown", "reason": reasons.not_declared()}
    for parameter, value in pairs:
        if parameter not in constraints:
            continue
        try:
            validate({parameter: constraints[parameter]}, {parameter: value}, caller_name=name)
        except Exception as error:
            if type(error).__name__ == "InvalidParameterError":
                return {"status": "no", "message": str(error)[:600]}
            return {"status": "unknown", "reason": reasons.asking_failed(type(error).__name__)}
    return {"status": "yes"}
