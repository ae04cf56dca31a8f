"""Small templates: those that our interpreter must render as jinja2 does, those that both refuse, and those that never end."""

VARIABLES = {
    "n": 7, "f": 2.5, "s": "Hello, Wörld", "e": "", "t": True, "no": None, "l": [3, 1, 2], "nested": {"a": {"b": [10, {"c": "deep"}]}, "items": 5},
    "d": {"b": 1, "a": "x", "C": None}, "people": [{"name": "Zoe", "age": 3}, {"name": "ann", "age": 30}, {"name": "Bob", "age": 3}],
    "lines": "one\ntwo\r\nthree\n", "q": "it's \"q\"\n\t\\", "u": "日本🙂",
}

_EXPRESSIONS = r"""
1 + 2 * 3 - 4
(1 + 2) * 3
7 // 2 ~ ' ' ~ (-7 // 2) ~ ' ' ~ 7 % 3 ~ ' ' ~ -7 % 3 ~ ' ' ~ 7 / 2
2 ** 3 ** 2
-2 ** 2
-n|abs
1.0
1e3
1e16
123456789012345680.0
1e-5
0.0001
f * 2
3.0 // 2
1 / 3
10 / 5
true + 1
'a' 'b' "c"
'a' + 'b' * 3
[1, 2] + [3]
(1, 2) + (3,)
(1,)
()
[1, 'two', 3.0, true, none, {'k': "v'"}]
{'a': 1, 'b': [2, {'c': 3}]}
q
[q]
[u, "\u00e9\x01\u2028"]
1 < 2 < 3
1 < 3 > 2
1 == 1.0
'1' == 1
true == 1
[1, 2] == [1, 2]
[1] == (1,)
{'a': 1} == {'a': 1.0}
'a' < 'b'
[1, 2] < [1, 3]
none == none
1 in l
'x' not in 'text'
'b' in d
not 1 in l
not t and t
n and s
e or 'default'
no or n
e and n
'yes' if n > 5 else 'no'
'yes' if n > 50
'a' if e else 'b' if no else 'c'
s.upper() ~ s.lower() ~ s.title()
s|upper ~ s|capitalize
'hello wORLD it\'s'|title
s[0] ~ s[-1] ~ s[1:4] ~ s[::-1] ~ s[-3:] ~ s[:-3]
u[1:] ~ u|length ~ u[::-1]
l[0] ~ l[-1] ~ l[5]
l[::2] ~ l[::-1] ~ l[1:] ~ l[:-1] ~ l[-100:100]
(1, 2, 3)[1:]
range(5)|list
range(2, 10, 3)|list ~ range(3, 0, -1)|list
l|sort ~ l|sort(reverse=true)
people|sort(attribute='name')|map(attribute='name')|join(',')
people|sort(attribute='age,name' if false else 'age')|map(attribute='name')|join(',')
people|selectattr('age', 'equalto', 3)|map(attribute='name')|list
people|rejectattr('age', 'gt', 10)|list|length
people|map(attribute='missing', default='?')|join
people|selectattr('age')|list|length
l|select('odd')|list ~ l|reject('odd')|list
l|select('in', [1, 2])|list
l|map('string')|join('-')
['a ', ' b']|map('trim')|join('|')
['a', 'b']|map('replace', 'a', 'x')|join
l|first ~ l|last ~ s|first
l|max ~ l|min ~ l|sum
people|sum(attribute='age')
['b', 'A', 'a', 'B']|sort|join ~ ['b', 'A', 'a', 'B']|sort(case_sensitive=true)|join
['b', 'B', 'a']|unique|list
d|items|list
d.items()|list
d.keys()|list ~ d.values()|list
d|dictsort
d|dictsort(by='key', reverse=true)
d.get('a') ~ d.get('z') ~ d.get('z', 'no')
d.a ~ d['a'] ~ d.zzz
nested.a.b[1].c
nested['items']
nested.a.b.0
d|tojson
d|tojson(indent=2)
nested|tojson(indent=4)
[]|tojson(indent=2) ~ {}|tojson(indent=2)
d|tojson(sort_keys=true)
d|tojson(separators=(',', ':'))
u|tojson ~ u|tojson(ensure_ascii=true)
q|tojson
[1.0, 1e20, 1.5e-7, true, none]|tojson
"\x01\x7f/"|tojson
s|length ~ l|length ~ d|length ~ e|count
s|replace('l', 'L') ~ s|replace('l', 'L', 1) ~ s.replace('o', '0')
'aaa'.replace('', '-')
'  x '|trim ~ '|' ~ 'xxaxx'|trim('x') ~ '|' ~ ' a '.strip() ~ '|' ~ 'xay'.strip('xy') ~ '|' ~ '\n a\n'.lstrip('\n') ~ '|' ~ ' a '.rstrip()
'a,b,,c'.split(',')
' a  b c '.split()
' a  b c '.split(none, 1)
'a,b,c'.split(',', 1) ~ 'a,b,c'.rsplit(',', 1)
' a  b c '.rsplit(none, 1)
'a-b-c'.partition('-') ~ 'a-b-c'.rpartition('-') ~ 'abc'.partition('-')
lines.splitlines() ~ lines.splitlines(true)
'abc'.startswith('ab') ~ 'abc'.endswith(('x', 'c')) ~ 'abc'.startswith(('x', 'y'))
'abcabc'.find('c') ~ 'abcabc'.rfind('c') ~ 'abc'.find('z') ~ 'abcabc'.count('bc')
'x'.join(['1', '2'])
'unhappy'.removeprefix('un').removesuffix('py')
'123'.isdigit() ~ 'abc'.isalpha() ~ 'a1'.isalnum() ~ ' '.isspace()
l.index(1) ~ l.count(3)
'42'|int ~ 'x'|int ~ 'x'|int(5) ~ '3.7'|int ~ 2.9|int ~ -2.9|int ~ true|int
'1.5'|float ~ 'x'|float ~ 3|float
2.5|round ~ 2.567|round(2) ~ 2.1|round(0, 'ceil') ~ -2.5|round(method='floor') ~ 1234.5|round(-2)
n|string ~ f|string ~ no|string ~ l|string
undefined_thing ~ '|' ~ undefined_thing|default('x') ~ e|default('x') ~ '|' ~ e|default('x', true) ~ no|default('y', boolean=true) ~ n|d(1)
undefined_thing|length ~ undefined_thing|list
'a' in undefined_thing
undefined_thing == other_thing
undefined_thing is defined
(n is defined) ~ (zz is defined) ~ (zz is undefined) ~ (no is none) ~ (s is string) ~ (n is string) ~ (n is number) ~ (t is number)
(t is boolean) ~ (n is integer) ~ (t is integer) ~ (f is float) ~ (d is mapping) ~ (l is mapping) ~ (l is iterable) ~ (s is iterable) ~ (n is iterable)
(l is sequence) ~ (d is sequence) ~ (n is sequence) ~ (t is true) ~ (n is true) ~ (no is false) ~ (false is false)
(n is odd) ~ (n is even) ~ (n is divisibleby 7) ~ (n is divisibleby(2)) ~ (n is eq 7) ~ (n is ne 7) ~ (n is gt 3) ~ (n is lt(3)) ~ (n is ge 7) ~ (n is le 6)
(3 is in l) ~ (9 is in(l)) ~ (n is sameas 7) ~ (n is not none) ~ (range is callable) ~ (n is callable)
n is not defined
not n is defined
n is defined and n > 3
[1, 2, 3] | length > 2
'%s' ~ 1
d.a.b is defined
dict(a=1, b=2) ~ dict({'x': 1}, y=2)
'<b>&"\''|e
lines|indent ~ lines|indent(2, true) ~ 'a\n\nb'|indent(width=3) ~ 'a\n\nb'|indent(2, blank=true) ~ 'a'|indent('>', first=true)
s|reverse ~ l|reverse|list
s|list
d|list
'tab\there\\n' ~ "\u0041\101"
loop is defined
namespace(a=1, b='x').b
n.real is defined or true
'ß'.upper() ~ 'É'.lower()
1_000 + 1
none ~ true ~ false ~ None ~ True
"a" ~ 1 ~ 2.0 ~ none ~ [1]
'abc'|first ~ []|first|default('none')
(l|sort)[0]
l|join(', ') ~ [1, none, 'x']|join
"x" if "a" in d and d.a == "x" else "y"
"""

_BLOCKS = [
    "{% for x in l %}{{ loop.index }}/{{ loop.length }}:{{ x }}{{ ',' if not loop.last }}{% endfor %}",
    "{% for x in l %}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.cycle('a','b') }}{{ loop.depth }};{% endfor %}",
    "{% for x in [] %}a{% else %}empty{% endfor %}",
    "{% for x in l if x > 1 %}{{ x }}{{ loop.length }}{% endfor %}",
    "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}",
    "{% for k, v in d | items %}{{ k }}{% endfor %}{% for k in d %}{{ k }}{% endfor %}",
    "{% for (a, b) in [(1, 2), [3, 4]] %}{{ a }}{{ b }}{% endfor %}",
    "{% for c in 'añb' %}[{{ c }}]{% endfor %}",
    "{% for x in undefined_thing %}{{ x }}{% endfor %}|",
    "{% set x = 1 %}{% for i in l %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}",
    "{% set ns = namespace(x=0) %}{% for i in l %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace() %}{% set ns.a = 'b' %}{{ ns.a }}{{ ns.c is defined }}",
    "{% if n > 5 %}{% set y = 'in' %}{% endif %}{{ y }}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set c = 1, 2 %}{{ c }}",
    "{% set text %}a {{ n }} b{% endset %}[{{ text }}]{% set loud | upper | trim %} x {% endset %}[{{ loud }}]",
    "{% for i in range(10) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 5 %}{% break %}{% endif %}{{ i }}{% endfor %}",
    "{% for i in range(3) %}{% for j in range(3) %}{% if j == 1 %}{% break %}{% endif %}{{ i }}{{ j }}{{ loop.depth }} {% endfor %}{% endfor %}",
    "{% macro m(a, b=2, c=b) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }} {{ m(1, 3) }} {{ m(b=5, a=4) }} {{ m() }}",
    "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, x=3) }}",
    "{% macro m(x) %}[{{ x }}:{{ caller() }}]{% endmacro %}{% call m(1) %}body {{ n }}{% endcall %}",
    "{% macro m() %}{{ caller('q') }}{% endmacro %}{% call(v) m() %}<{{ v }}>{% endcall %}",
    "{% macro f(k) %}{% if k > 0 %}{{ k }}{{ f(k - 1) }}{% endif %}{% endmacro %}{{ f(5) }}",
    "{% set late = 1 %}{% macro m() %}{{ late }}{% endmacro %}{% set late = 2 %}{{ m() }}",
    "{% macro m() %}{% set inner = 5 %}{{ inner }}{% endmacro %}{{ m() }}{{ inner is defined }}",
    "{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a is defined }}",
    "{% filter upper %}abc {{ s }}{% endfilter %}",
    "{% filter replace('a', 'b') | trim %} aa {% endfilter %}",
    "{% raw %}{{ not }} {% this %}{% endraw %}|",
    "a\n{%- raw -%}\n x {{ y }} \n{%- endraw -%}\n b",
    "{% generation %}{% set g = 1 %}x{% endgeneration %}{{ g is defined }}",
    "a {# comment #} b{#- c -#} d\n{# line #}\ne",
    "  {% if t %}\n  yes\n  {% endif %}\n  no\n",
    "x  {%- if t -%}  y  {%- endif -%}  z",
    "x\n\n  {%+ if t %} y {% endif +%}\n z\n",
    "  {{ n }}  \n  {{- n -}}  \n  {{ n }}\n\n",
    "line\n    {% set q2 = 1 %}   \nnext\n",
    "{{ '{{' }} {{ '%}' }} { % } {",
    "\r\na\r\n{% if t %}\r\nb\r\n{% endif %}\r\n",
    "trailing\n",
    "trailing\n\n",
    "{% if no %}a{% elif n == 7 %}b{% elif t %}c{% else %}d{% endif %}",
    "{% if not no %}{% if e %}1{% else %}2{% endif %}{% endif %}",
    "{{ {'a': {'b': {}}}['a'] }}{{ {'x': '}}'}.x }}",
    "{% set m = {'a': 1} %}{% set m = dict(m, b=2) %}{{ m }}",
    "{{ messages|length }}{{ tools is none }}{{ documents }}",
    "{% for p in people %}{{ p.name }}{% if p is mapping and p['age'] is number %}({{ p.age }}){% endif %}{% endfor %}",
    "{{ raise_exception('never') if false }}ok",
    "{{ l.append is defined }}" if False else "{{ 'x' }}",
]

ALIKE = ["{{ " + line + " }}" for line in _EXPRESSIONS.strip().split("\n")] + _BLOCKS

REFUSED = [
    "{{ undefined_thing.x }}", "{{ undefined_thing + 1 }}", "{{ 1 + 'a' }}", "{{ 1 / 0 }}", "{{ n() }}", "{{ s.nonsense() }}", "{{ l.append(4) }}", "{{ d.update({}) }}",
    "{{ 'a' | nonsense }}", "{{ n is nonsense }}", "{% for x in 5 %}{% endfor %}", "{{ raise_exception('x') }}", "{{ none.x.y }}", "{{ 1 in 5 }}", "{{ 1 in 'a' }}",
    "{% if %}{% endif %}", "{% for %}{% endfor %}", "{{ }}", "{{ 1 + }}", "{{ (1 }}", "{{ 'x }}", "{% endif %}", "{% if t %}", "{{ 1 ]}}", "{% break %}", "{% nonsense %}", "{# x",
    "{% set 5 = 1 %}", "{% set s.x = 1 %}", "{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}", "{% macro m(a) %}{% endmacro %}{{ m(z=2) }}", "{{ [] | max > 1 }}", "{{ n | length }}",
    "{{ range(1000000) | list }}", "{{ undefined_thing | tojson }}", "{{ 'a' < 1 }}", "{{ [3, 'a'] | sort }}", "{{ x is defined is defined }}", "{% for a, b in [1] %}{% endfor %}",
    "{{ ''.join([1]) }}", "{{ 'a'.split('') }}", "{% set true = 1 %}", "{{ '\\x4' }}", "{{ f(x for x in l) }}",
]

_DOUBLING = "{% set ns = namespace(x='xxxxxxxx') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}"
ENDLESS = [
    "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    _DOUBLING, "{{ 'x' * 1000000000000 }}", "{{ [1] * 1000000000 }}", "{{ 2 ** 100000000 }}",
    "{% set ns = namespace(x=[1]) %}{% for i in range(100) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x=[1]) %}{% for i in range(90000) %}{% set ns.x = [ns.x] %}{% endfor %}",
    "{% for a in range(90000) %}{{ 'x' * 10000 }}{% endfor %}",
    "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "{{ " + "1+" * 50000 + "1 }}", "{{ " + "not " * 50000 + "1 }}", "{{ " + "[" * 50000 + " }}", "{{ x" + ".a" * 50000 + " }}",
    "{% if t %}" * 5000, "{{ 1 " + "| string " * 50000 + "}}", "{% if a %}" + "{% elif a %}" * 5000 + "{% endif %}", "{{ a" + " if a" * 50000 + " }}",
]
