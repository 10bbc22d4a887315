# Hugging Face tokenizers, configurations, encodings and datasets. Models are torch modules and described as such.
from ..objects.literals import label
from ..objects.lookup import class_name, instance_dict, is_a
from .builtins import tell_attributes
from .registry import at_location, describes

TOKENIZER_FACTS = ("model_max_length", "padding_side", "truncation_side", "name_or_path")


@describes("transformers.tokenization_utils_base:PreTrainedTokenizerBase")
def describe_tokenizer(obj, fact, walk):
    fact.kind = "tokenizer"
    held = instance_dict(obj) or {}
    fact.structural["parameters"] = {name: fact.child(held[name]) for name in TOKENIZER_FACTS if name in held}
    special = held.get("_special_tokens_map")
    if type(special) is dict:
        fact.structural["attributes"] = {
            name: fact.child(value if type(value) is str or value is None else class_name(type(value)))
            for name, value in special.items()
            if type(name) is str
        }
    inner = held.get("_tokenizer")
    if inner is not None and type(inner) is at_location("tokenizers:Tokenizer"):
        fact.representation["vocabulary_size"] = int(inner.get_vocab_size())


@describes(
    "transformers.configuration_utils:PreTrainedConfig", "transformers.configuration_utils:PretrainedConfig"
)
def describe_config(obj, fact, walk):
    fact.kind = "hf_config"
    tell_attributes(obj, fact, walk)


@describes("collections:UserDict")
def describe_encoding(obj, fact, walk):
    """A wrapped dict, such as what a tokenizer returns."""
    fact.kind = "dict"
    data = (instance_dict(obj) or {}).get("data")
    if type(data) is not dict or walk.is_shallow(fact):
        return
    shown = list(data.items())[:50]
    fact.representation["length"] = len(data)
    fact.structural["keys"] = [label(key) for key, _ in shown]
    fact.structural["entries"] = [fact.child(value) for _, value in shown]
    fact.structural["complete"] = len(shown) == len(data)
    fact.structural["dynamic_keys"] = True


@describes("datasets.arrow_dataset:Dataset")
def describe_dataset(obj, fact, walk):
    fact.kind = "hf_dataset"
    held = instance_dict(obj) or {}
    features = (instance_dict(held.get("_info")) or {}).get("features")
    if features is not None and is_a(features, dict):
        fact.representation["columns"] = [
            {"label": label(name), "dtype": feature_name(feature)} for name, feature in dict.items(features)
        ]
        fact.representation["columns_complete"] = True
    table = held.get("_indices") if held.get("_indices") is not None else held.get("_data")
    inner = (instance_dict(table) or {}).get("table")
    if inner is not None and type(inner) is at_location("pyarrow:Table"):
        fact.representation["length"] = int(inner.num_rows)


def feature_name(feature):
    dtype = (instance_dict(feature) or {}).get("dtype")
    return dtype if type(dtype) is str else class_name(type(feature)).rpartition(".")[2]
