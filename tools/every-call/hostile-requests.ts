import { methodOf, type Call } from '#kit/contract/call.ts'
import type { Field } from '#kit/contract/field.ts'
import { wireNameOf } from '#kit/contract/wire.ts'

/** Values that no field wants, by what they try. */
const values: readonly unknown[] = [
  "'; drop table building; --",
  "1' or '1'='1",
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  "=cmd|'/C calc'!A0",
  '%00%s%n',
  '../../../../etc/passwd',
  '\u202e\u0000',
  '\ud800',
  '😀𠮷'.repeat(50),
  'x'.repeat(100_000),
  '',
  ' ',
  null,
  true,
  -1,
  0,
  1e308,
  9007199254740992,
  '99999999999999999999',
  '-0',
  'NaN',
  'Infinity',
  '1e5',
  '0x10',
  '１２',
  '0000-00-00',
  '9999-99-99',
  '2026-02-30 25:61:61',
  '\\',
  '%',
  '_',
  [],
  [[]],
  {},
  { $ne: null },
  { toString: 1 },
  ['a', { b: 1 }],
  [null],
  Array.from({ length: 30 }, (_, i) => i),
  { 0: 'a', length: 1 },
]

const shared = JSON.parse(
  '{"__proto__":{"owner":true},"constructor":{"prototype":{"x":1}},"hasOwnProperty":1,"toString":"x","valueOf":null}',
) as object

const nested = (depth: number): unknown => (depth ? { a: nested(depth - 1) } : 1)

/**
 * Requests that must be refused, or harmless, whatever the call: JSON bodies, or for GET and DELETE query
 * strings.
 */
export function hostileRequests(
  c: Call,
  good: Record<string, unknown>,
  roll: (below: number) => number,
): { what: string; body?: unknown; query?: string }[] {
  const names = Object.entries<Field>(c.input.fields).map(([k, f]) =>
    c.input.form === 'value' ? 'Data' : wireNameOf(k, f, c.input),
  )
  const inQuery = methodOf(c) === 'GET' || methodOf(c) === 'DELETE'
  const out: { what: string; body?: unknown; query?: string }[] = []
  const put = (what: string, data: Record<string, unknown>, more: object = {}): void => {
    if (inQuery) {
      out.push({
        what,
        query: Object.entries({ ...data, ...more })
          .map(
            ([k, v]) =>
              `${encodeURIComponent((k.startsWith('Data') || k === 'ID' || k === 'Ids' ? k : `data.${k}`).toWellFormed())}=${encodeURIComponent((typeof v === 'string' ? v : (JSON.stringify(v) ?? '')).toWellFormed().slice(0, 3000))}`,
          )
          .join('&'),
      })
    } else {
      out.push({ what, body: c.flat ? { ...data, ...more } : { Data: data, ...more } })
    }
  }
  // Every field meets some of them; over the calls of a product each meets all.
  for (const name of names) {
    for (let i = 0; i < 3; i++) {
      const v = values[roll(values.length)]
      put(`${name} = ${JSON.stringify(v).slice(0, 40)}`, { ...good, [name]: v })
    }
  }
  put('every field an injection', Object.fromEntries(names.map(n => [n, values[roll(4)]])))
  put('every field a list', Object.fromEntries(names.map(n => [n, [1, 'a']])))
  put('every field an object', Object.fromEntries(names.map(n => [n, { a: 1 }])))
  put('names of the language', { ...good, ...shared })
  put('foreign envelope', good, { OwnerID: 'abc', OperaterID: { a: 1 }, ProjectCode: ['P'], uuid: { a: [] } })
  if (inQuery) {
    out.push(
      { what: 'nested query', query: `Data${'[a]'.repeat(9)}=1` },
      { what: 'bad escapes', query: 'data.a=%E0%A4%A&%=%&Data=%7B' },
      { what: 'Data as text', query: 'Data=x' },
      { what: 'the same name twice', query: names.map(n => `data.${n}=1&data.${n}=2`).join('&') },
    )
  } else {
    out.push(
      { what: 'depth 9', body: { Data: nested(8) } },
      { what: '20,001 members', body: { Data: Array(20_001).fill(1) } },
      { what: 'Data a text', body: { Data: 'x' } },
      { what: 'Data a number', body: { Data: 7 } },
      { what: 'Data a list', body: { Data: [1, 'a', {}] } },
      { what: 'Data null', body: { Data: null } },
      { what: 'a bare list', body: [1, 2] },
      { what: 'a bare text', body: '"x"' },
      { what: 'no body' },
      {
        what: '2,001 ids',
        body: { Ids: Array.from({ length: 2001 }, (_, i) => i + 1).join(','), Data: good },
      },
    )
  }
  return out
}
