/** A function and what its calls give. */
interface ValueCase {
  readonly title: string;
  /** After `CREATE FUNCTION`. */
  readonly source: string;
  readonly calls: readonly (readonly [call: string, value: unknown])[];
}

/** A function whose call fails, or which is not created. */
interface ErrorCase {
  readonly title: string;
  readonly source: string;
  readonly call: string;
  readonly error: RegExp;
}

export const FUNCTION_VALUES: readonly ValueCase[] = [
  {
    title: 'arithmetic and NULL',
    source: 'plus_one (n IN NUMBER) RETURN NUMBER DETERMINISTIC IS BEGIN RETURN n + 1; END plus_one;',
    calls: [
      ['plus_one(1)', 2],
      ['plus_one(-0.5)', 0.5],
      ['plus_one(NULL)', null],
      ['plus_one(plus_one(1))', 3],
    ],
  },
  {
    title: 'a text, of which the empty one is NULL',
    source:
      "greet (name VARCHAR2) RETURN VARCHAR2 AS l_text VARCHAR2(20 CHAR) := 'hello'; BEGIN IF name IS NULL THEN RETURN ''; END IF; RETURN l_text || ' ' || UPPER(name) || CHR(33); END;",
    calls: [
      [`greet('ada')`, 'hello ADA!'],
      [`greet('')`, null],
      [`greet(q'[it''s]')`, "hello IT''S!"],
    ],
  },
  {
    title: 'recursion',
    source:
      'factorial (n NUMBER) RETURN NUMBER IS BEGIN IF n <= 1 THEN RETURN 1; ELSE RETURN n * factorial(n - 1); END IF; END;',
    calls: [
      ['factorial(5)', 120],
      ['factorial(25)', '15511210043330985984000000'],
    ],
  },
  {
    title: 'functions inside that call each other',
    source: `is_even (n NUMBER) RETURN NUMBER IS
      FUNCTION odd (m NUMBER) RETURN BOOLEAN;
      FUNCTION even (m NUMBER) RETURN BOOLEAN IS BEGIN RETURN m = 0 OR odd(m - 1); END even;
      FUNCTION odd (m NUMBER) RETURN BOOLEAN IS BEGIN RETURN m <> 0 AND even(m - 1); END odd;
    BEGIN
      IF even(n) THEN RETURN 1; END IF;
      RETURN 0;
    END is_even;`,
    calls: [
      ['is_even(10)', 1],
      ['is_even(7)', 0],
      ['is_even(0)', 1],
    ],
  },
  {
    title: 'loops',
    source: `loops (low PLS_INTEGER, high PLS_INTEGER) RETURN NUMBER IS
      l_total NUMBER := 0;
      l_n NUMBER := 1;
    BEGIN
      FOR i IN low .. high LOOP
        CONTINUE WHEN MOD(i, 2) = 0;
        l_total := l_total + i;
      END LOOP;
      WHILE l_n < 100 LOOP l_n := l_n * 3; END LOOP;
      LOOP
        l_n := l_n - 1;
        EXIT WHEN l_n <= 200;
      END LOOP;
      RETURN l_total * 1000 + l_n;
    END;`,
    calls: [
      ['loops(1, 5)', 9200],
      ['loops(3, 2)', 200],
      ['loops(-1, 1)', 200],
      ['loops(0.6, 3.4)', 4200],
    ],
  },
  {
    title: 'CASE and ELSIF',
    source: `word (n NUMBER) RETURN VARCHAR2 IS
      l_word VARCHAR2(10);
    BEGIN
      CASE n WHEN 1 THEN l_word := 'one'; WHEN 2 THEN l_word := 'two'; ELSE l_word := 'many'; END CASE;
      CASE WHEN n < 0 THEN RETURN 'none'; WHEN n > 100 THEN RETURN 'lots'; ELSE NULL; END CASE;
      IF n = 50 THEN RETURN 'fifty'; ELSIF n = 60 THEN RETURN 'sixty'; ELSE RETURN l_word || CASE WHEN n = 2 THEN '!' END; END IF;
    END;`,
    calls: [
      ['word(1)', 'one'],
      ['word(2)', 'two!'],
      ['word(9)', 'many'],
      ['word(-1)', 'none'],
      ['word(101)', 'lots'],
      ['word(60)', 'sixty'],
      ['word(NULL)', 'many'],
    ],
  },
  {
    title: 'three-valued logic, which stops where it is decided',
    source: `logic (n NUMBER) RETURN VARCHAR2 IS
      l_flag BOOLEAN := n > 0;
    BEGIN
      IF n IS NULL OR 1 / n > 0 THEN RETURN CASE WHEN l_flag IS NULL THEN 'unknown' ELSE 'positive' END; END IF;
      IF n <> 0 AND NOT l_flag THEN RETURN 'negative'; END IF;
      RETURN 'never';
    END;`,
    calls: [
      ['logic(NULL)', 'unknown'],
      ['logic(2)', 'positive'],
      ['logic(-2)', 'negative'],
    ],
  },
  {
    title: 'a BOOLEAN result',
    source: 'positive (n NUMBER) RETURN BOOLEAN IS BEGIN RETURN n > 0; END;',
    calls: [
      ['positive(1)', true],
      ['positive(NULL)', null],
      [`CASE WHEN positive(1) AND NOT positive(-1) THEN 'yes' END`, 'yes'],
    ],
  },
  {
    title: 'errors that are handled',
    source: `safe (t VARCHAR2) RETURN VARCHAR2 IS
      l_n NUMBER;
    BEGIN
      BEGIN
        l_n := t;
        RETURN 'quotient ' || 12 / l_n;
      EXCEPTION
        WHEN VALUE_ERROR THEN RETURN 'no number ' || SQLCODE;
      END;
    EXCEPTION
      WHEN ZERO_DIVIDE OR INVALID_NUMBER THEN RETURN SQLERRM;
      WHEN OTHERS THEN RAISE;
    END;`,
    calls: [
      [`safe('4')`, 'quotient 3'],
      [`safe('x')`, 'no number -6502'],
      [`safe('0')`, 'ORA-01476: divisor is equal to zero'],
    ],
  },
  {
    title: 'text that is no number, which is VALUE_ERROR outside SQL',
    source: `number_of (t VARCHAR2) RETURN VARCHAR2 IS
    BEGIN
      IF t = 1 THEN RETURN 'one'; END IF;
      RETURN 'sum ' || (t + TO_NUMBER(t)) || ' ora.to_number(';
    EXCEPTION
      WHEN VALUE_ERROR THEN RETURN 'value error';
      WHEN INVALID_NUMBER THEN RETURN 'invalid number';
    END;`,
    calls: [
      [`number_of('1')`, 'one'],
      [`number_of('2')`, 'sum 4 ora.to_number('],
      [`number_of('x')`, 'value error'],
      [`number_of('')`, 'sum  ora.to_number('],
    ],
  },
  {
    title: 'variables of a block inside, which hide those around it',
    source: `hidden (n NUMBER) RETURN NUMBER IS
      l_n NUMBER := n;
    BEGIN
      DECLARE l_n CONSTANT NUMBER := 100; BEGIN IF l_n <> 100 THEN RETURN -1; END IF; END;
      RETURN l_n + SQLCODE;
    END;`,
    calls: [[`hidden(7)`, 7]],
  },
  {
    title: 'types and their conversions',
    source: `converts (t VARCHAR2, j JSON, d DATE) RETURN VARCHAR2 IS
      l_small NUMBER(3, 1) := t;
      l_whole PLS_INTEGER := l_small;
      l_large CLOB := l_whole;
    BEGIN
      RETURN l_small || '/' || l_whole || '/' || l_large || '/' || TO_CHAR(d, 'YYYY') || '/' || JSON_VALUE(j, '$.a');
    END;`,
    calls: [[`converts('2.55', JSON('{"a":"x"}'), DATE '2026-11-30')`, '2.6/3/3/2026/x']],
  },
  {
    title: 'no parameters',
    source: "constant_text RETURN VARCHAR2 IS BEGIN RETURN 'text'; END;",
    calls: [
      ['constant_text', 'text'],
      ['constant_text()', 'text'],
    ],
  },
  {
    title: 'JSON in memory',
    source: `describe_json (t CLOB) RETURN VARCHAR2 IS
      l_value JSON_ELEMENT_T := JSON_ELEMENT_T.parse(t);
      FUNCTION describe (p IN JSON_ELEMENT_T) RETURN VARCHAR2 IS
        l_object JSON_OBJECT_T;
        l_list JSON_ARRAY_T;
        l_names JSON_KEY_LIST;
        l_text VARCHAR2(4000);
      BEGIN
        IF p IS NULL THEN RETURN 'missing'; END IF;
        IF p.is_object THEN
          l_object := TREAT(p AS JSON_OBJECT_T);
          IF l_object.get_size = 0 THEN RETURN '{}'; END IF;
          l_names := l_object.get_keys;
          FOR i IN 1 .. l_names.COUNT LOOP
            l_text := l_text || l_names(i) || '=' || describe(l_object.get(l_names(i))) || ';';
          END LOOP;
          RETURN l_text;
        ELSIF p.is_array() THEN
          l_list := TREAT(p AS JSON_ARRAY_T);
          FOR i IN 0 .. l_list.get_size() LOOP l_text := l_text || describe(l_list.get(i)) || ','; END LOOP;
          RETURN l_text;
        ELSIF p.is_null THEN
          RETURN 'null';
        ELSIF p.is_true OR p.is_false THEN
          RETURN 'truth';
        END IF;
        RETURN CASE WHEN p.is_number THEN 'number ' WHEN p.is_string THEN 'text ' END || p.to_string;
      END describe;
    BEGIN
      RETURN describe(l_value);
    END;`,
    calls: [
      [`describe_json('{"a":1.50,"b":"x\\"y","c":null}')`, 'a=number 1.50;b=text "x\\"y";c=null;'],
      [`describe_json('[true,[],{}]')`, 'truth,missing,,{},missing,'],
      [`describe_json('')`, 'missing'],
    ],
  },
  {
    title: 'values of a JSON document, as an example of the manual reads them',
    source: `order_total (purchase_order VARCHAR2) RETURN NUMBER IS
      po_obj JSON_OBJECT_T;
      li_arr JSON_ARRAY_T;
      li_obj JSON_OBJECT_T;
      total NUMBER := 0;
    BEGIN
      po_obj := JSON_OBJECT_T.parse(purchase_order);
      li_arr := po_obj.get_array('lines');
      FOR i IN 0 .. li_arr.get_size - 1 LOOP
        li_obj := JSON_OBJECT_T(li_arr.get(i));
        total := total + li_obj.get_number('quantity') * li_obj.get_object('part').get_number('price');
      END LOOP;
      RETURN CASE WHEN po_obj.get_string('currency') = 'EUR' THEN total END;
    END;`,
    calls: [
      [
        `order_total('{"currency":"EUR","lines":[{"quantity":2,"part":{"price":1.5}},{"quantity":1,"part":{"price":4}}]}')`,
        7,
      ],
      [`order_total('{"currency":1,"lines":[]}')`, null],
    ],
  },
  {
    title: 'JSON that is compared and looked up',
    source: `same_field (one JSON, other JSON, field VARCHAR2) RETURN NUMBER IS
      l_one JSON_OBJECT_T := JSON_OBJECT_T(one);
      l_other JSON_OBJECT_T := TREAT(JSON_ELEMENT_T.load(other) AS JSON_OBJECT_T);
    BEGIN
      IF NOT l_one.has(field) THEN RETURN -1; END IF;
      IF JSON_EQUAL(l_one.get(field).to_json, l_other.get(field).to_json()) THEN RETURN 1; END IF;
      RETURN 0;
    END;`,
    calls: [
      [`same_field(JSON('{"a":1.0}'), JSON('{"a":1}'), 'a')`, 1],
      [`same_field(JSON('{"a":"1"}'), JSON('{"a":1}'), 'a')`, 0],
      [`same_field(JSON('{"a":{"x":1,"y":2}}'), JSON('{"a":{"y":2,"x":1}}'), 'a')`, 1],
      [`same_field(JSON('{"a":[1,2]}'), JSON('{"a":[2,1]}'), 'a')`, 0],
      [`same_field(JSON('{"a":1}'), JSON('{"a":1}'), 'A')`, -1],
    ],
  },
];

export const FUNCTION_ERRORS: readonly ErrorCase[] = [
  {
    title: 'raises an error of its own',
    source: "fails (t VARCHAR2) RETURN NUMBER IS BEGIN RAISE_APPLICATION_ERROR(-20007, 'no ' || t); END;",
    call: "fails('luck')",
    error: /^ORA-20007: no luck/,
  },
  {
    title: 'an error number out of range',
    source: "fails RETURN NUMBER IS BEGIN RAISE_APPLICATION_ERROR(-19999, 'x'); END;",
    call: 'fails()',
    error: /^ORA-21000/,
  },
  {
    title: 'returns no value',
    source: 'silent (n NUMBER) RETURN NUMBER IS BEGIN IF n > 0 THEN RETURN n; END IF; END;',
    call: 'silent(0)',
    error: /^ORA-06503: PL\/SQL: Function returned without value/,
  },
  {
    title: 'text that is too long for its variable',
    source: 'cut (t VARCHAR2) RETURN VARCHAR2 IS l_t VARCHAR2(3); BEGIN l_t := t; RETURN l_t; END;',
    call: "cut('äö')",
    error: /^ORA-06502: .*character string buffer too small/,
  },
  {
    title: 'a number that is too large for its variable',
    source: 'cut (n NUMBER) RETURN NUMBER IS l_n NUMBER(2); BEGIN l_n := n; RETURN l_n; END;',
    call: 'cut(100)',
    error: /^ORA-06502: .*number precision too large/,
  },
  {
    title: 'text that is no number',
    source: 'cut (t VARCHAR2) RETURN NUMBER IS l_n NUMBER := t; BEGIN RETURN l_n; END;',
    call: "cut('x')",
    error: /^ORA-06502: .*character to number conversion error/,
  },
  {
    title: 'text that is no number in an expression',
    source: 'added (t VARCHAR2) RETURN NUMBER IS BEGIN IF t = 1 THEN RETURN 0; END IF; RETURN 1 + t; END;',
    call: "added('x')",
    error: /^ORA-06502: .*character to number conversion error/,
  },
  {
    title: 'a whole number beyond 32 bits',
    source: 'cut (n NUMBER) RETURN NUMBER IS l_n PLS_INTEGER := n; BEGIN RETURN l_n; END;',
    call: 'cut(2147483648)',
    error: /^ORA-01426/,
  },
  {
    title: 'whole numbers that are added beyond 32 bits',
    source: 'sum_of (n PLS_INTEGER) RETURN NUMBER IS l_n NUMBER; BEGIN l_n := n + 1; RETURN l_n; END;',
    call: 'sum_of(2147483647)',
    error: /^ORA-01426/,
  },
  {
    title: 'a loop with NULL as its bound',
    source: 'cut (n NUMBER) RETURN NUMBER IS BEGIN FOR i IN 1 .. n LOOP NULL; END LOOP; RETURN 1; END;',
    call: 'cut(NULL)',
    error: /^ORA-06502/,
  },
  {
    title: 'a CASE that takes no value',
    source: "choose (n NUMBER) RETURN VARCHAR2 IS BEGIN CASE n WHEN 1 THEN RETURN 'one'; END CASE; END;",
    call: 'choose(2)',
    error: /^ORA-06592/,
  },
  {
    title: 'an error that a handler for another one leaves alone',
    source:
      'other (n NUMBER) RETURN NUMBER IS BEGIN RETURN 1 / n; EXCEPTION WHEN VALUE_ERROR THEN RETURN 0; END;',
    call: 'other(0)',
    error: /^ORA-01476/,
  },
  {
    title: 'a method of no value',
    source:
      "no_value (j JSON) RETURN NUMBER IS l_j JSON_OBJECT_T := JSON_OBJECT_T(j); BEGIN RETURN l_j.get('x').get_size; END;",
    call: "no_value(JSON('{}'))",
    error: /^ORA-30625/,
  },
  {
    title: 'the names of an object without fields',
    source:
      'names (j JSON) RETURN NUMBER IS l_names JSON_KEY_LIST := JSON_OBJECT_T(j).get_keys; BEGIN RETURN l_names.COUNT; END;',
    call: "names(JSON('{}'))",
    error: /^ORA-06531/,
  },
  {
    title: 'a position beyond a list',
    source:
      'names (j JSON) RETURN VARCHAR2 IS l_names JSON_KEY_LIST := JSON_OBJECT_T(j).get_keys; BEGIN RETURN l_names(2); END;',
    call: `names(JSON('{"a":1}'))`,
    error: /^ORA-06533/,
  },
  {
    title: 'a list where an object is asked for',
    source: 'names (j JSON) RETURN NUMBER IS BEGIN RETURN JSON_OBJECT_T(j).get_size; END;',
    call: "names(JSON('[1]'))",
    error: /^ORA-40587/,
  },
  {
    title: 'text that is not JSON',
    source: 'parsed (t CLOB) RETURN NUMBER IS BEGIN RETURN JSON_ELEMENT_T.parse(t).get_size; END;',
    call: "parsed('{')",
    error: /^ORA-40441/,
  },
  {
    title: 'calls without an end, which no handler takes',
    source:
      'endless (n NUMBER) RETURN NUMBER IS BEGIN RETURN endless(n + 1); EXCEPTION WHEN OTHERS THEN RETURN 0; END;',
    call: 'endless(1)',
    error: /^ORA-03001: .*64 calls/,
  },
];

export const REFUSED_FUNCTIONS: readonly Pick<ErrorCase, 'title' | 'source' | 'error'>[] = [
  {
    title: 'text that is no function',
    source: 'broken (n NUMBER) RETURN NUMBER BEGIN RETURN n; END;',
    error: /^ORA-06550: line 1, column \d+:\nPLS-00103/,
  },
  {
    title: 'an unknown name',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN\n  RETURN m; END;',
    error: /^ORA-06550: line 2, column 10:\nPLS-00201: identifier 'M' must be declared/,
  },
  {
    title: 'an unknown function',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN RETURN nothing(n); END;',
    error: /PLS-00201: identifier 'NOTHING' must be declared/,
  },
  {
    title: 'an unknown type',
    source: 'broken (n NUMBR) RETURN NUMBER IS BEGIN RETURN n; END;',
    error: /PLS-00201: identifier 'NUMBR' must be declared/,
  },
  {
    title: 'a length in the heading',
    source: 'broken (n VARCHAR2(10)) RETURN NUMBER IS BEGIN RETURN 1; END;',
    error: /PLS-00103: Encountered the symbol "\("/,
  },
  {
    title: 'an unknown method',
    source:
      'broken (j JSON) RETURN NUMBER IS l_j JSON_OBJECT_T := JSON_OBJECT_T(j); BEGIN RETURN l_j.length; END;',
    error: /PLS-00302: component 'LENGTH' must be declared/,
  },
  {
    title: 'a method that the emulator lacks',
    source:
      'broken (j JSON) RETURN NUMBER IS l_j JSON_ELEMENT_T := JSON_ELEMENT_T.load(j); BEGIN RETURN l_j.to_number; END;',
    error: /^ORA-03001: .*the method TO_NUMBER of JSON_ELEMENT_T/,
  },
  {
    title: 'a method that changes a value',
    source:
      "broken (j JSON) RETURN NUMBER IS l_j JSON_OBJECT_T := JSON_OBJECT_T(j); BEGIN l_j.put('a', 1); RETURN 1; END;",
    error: /does not support calls of methods as statements in a function/,
  },
  {
    title: 'a method of the subtype',
    source:
      "broken (t CLOB) RETURN NUMBER IS l_j JSON_ELEMENT_T := JSON_ELEMENT_T.parse(t); BEGIN RETURN l_j.get('a').get_size; END;",
    error: /PLS-00302: component 'GET' must be declared/,
  },
  {
    title: 'a supertype where the subtype is needed',
    source:
      'broken (t CLOB) RETURN NUMBER IS l_j JSON_OBJECT_T := JSON_ELEMENT_T.parse(t); BEGIN RETURN 1; END;',
    error: /PLS-00382: expression is of wrong type/,
  },
  {
    title: 'a number as a condition',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN IF n THEN RETURN 1; END IF; END;',
    error: /PLS-00382/,
  },
  {
    title: 'a BOOLEAN as a number',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN RETURN n > 1; END;',
    error: /PLS-00382/,
  },
  {
    title: 'a change of a parameter',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN n := 1; RETURN n; END;',
    error: /PLS-00363: expression 'N' cannot be used as an assignment target/,
  },
  {
    title: 'a change of a loop index',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN FOR i IN 1 .. 2 LOOP i := 1; END LOOP; RETURN n; END;',
    error: /PLS-00363/,
  },
  {
    title: 'a name declared twice',
    source: 'broken (n NUMBER) RETURN NUMBER IS a NUMBER; a NUMBER; BEGIN RETURN 1; END;',
    error: /PLS-00371/,
  },
  {
    title: 'RETURN without a value',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN RETURN; END;',
    error: /PLS-00503/,
  },
  {
    title: 'EXIT outside a loop',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN EXIT; RETURN 1; END;',
    error: /PLS-00376/,
  },
  {
    title: 'RAISE outside a handler',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN RAISE; END;',
    error: /PLS-00367/,
  },
  {
    title: 'another name at the end',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN RETURN 1; END other;',
    error: /PLS-00113/,
  },
  {
    title: 'a variable after a function',
    source:
      'broken (n NUMBER) RETURN NUMBER IS FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END; a NUMBER; BEGIN RETURN 1; END;',
    error: /PLS-00103: Encountered the symbol "a"/,
  },
  {
    title: 'an announced function without a body',
    source: 'broken (n NUMBER) RETURN NUMBER IS FUNCTION f RETURN NUMBER; BEGIN RETURN 1; END;',
    error: /PLS-00328/,
  },
  {
    title: 'a function that is declared after its call',
    source:
      'broken (n NUMBER) RETURN NUMBER IS FUNCTION f RETURN NUMBER IS BEGIN RETURN g; END; FUNCTION g RETURN NUMBER IS BEGIN RETURN 1; END; BEGIN RETURN f; END;',
    error: /PLS-00201: identifier 'G'/,
  },
  {
    title: 'a wrong number of arguments',
    source:
      'broken (n NUMBER) RETURN NUMBER IS FUNCTION f (m NUMBER) RETURN NUMBER IS BEGIN RETURN 1; END; BEGIN RETURN f(1, 2); END;',
    error: /PLS-00306: wrong number or types of arguments in call to 'F'/,
  },
  {
    title: 'an aggregate',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN RETURN MAX(n); END;',
    error: /PLS-00204/,
  },
  {
    title: 'a function of SQL alone',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN RETURN DECODE(n, 1, 2); END;',
    error: /PLS-00204: function or pseudo-column 'DECODE'/,
  },
  {
    title: 'OUT parameters',
    source: 'broken (n OUT NUMBER) RETURN NUMBER IS BEGIN RETURN 1; END;',
    error: /does not support OUT parameters in a function/,
  },
  {
    title: 'default values',
    source: 'broken (n NUMBER DEFAULT 1) RETURN NUMBER IS BEGIN RETURN n; END;',
    error: /does not support default values/,
  },
  {
    title: 'a variable of the function around',
    source:
      'broken (n NUMBER) RETURN NUMBER IS FUNCTION f RETURN NUMBER IS BEGIN RETURN n; END; BEGIN RETURN f; END;',
    error: /^ORA-03001: .* uses N of the one around it/,
  },
  {
    title: 'a change of a variable of the function around',
    source:
      'broken RETURN NUMBER IS n NUMBER; FUNCTION f RETURN NUMBER IS BEGIN n := 1; RETURN 2; END; BEGIN RETURN f; END;',
    error: /^ORA-03001: .* uses N of the one around it/,
  },
  {
    title: 'DML',
    source: "broken (n NUMBER) RETURN NUMBER IS BEGIN UPDATE notes SET title = 'x'; RETURN 1; END;",
    error: /^ORA-03001: .*SQL or a call of a procedure in a stored function/,
  },
  {
    title: 'a query',
    source:
      'broken (n NUMBER) RETURN NUMBER IS l_n NUMBER; BEGIN SELECT 1 INTO l_n FROM dual; RETURN l_n; END;',
    error: /^ORA-03001/,
  },
  {
    title: 'a subquery in an expression',
    source: 'broken (n NUMBER) RETURN NUMBER IS BEGIN RETURN (SELECT 1 FROM dual); END;',
    error: /^ORA-06550/,
  },
];
