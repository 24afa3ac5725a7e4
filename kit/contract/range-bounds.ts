import type { Field } from './field.ts'

type Bound = 'From' | 'To'

/** The names of a bound, where the field has names of its own: each tells the two bounds apart. */
export const boundNames = ({ wire }: Field, bound: Bound): Pick<Field, 'wire'> =>
  wire === undefined ? {} : { wire: [wire].flat().map(name => `${name}${bound}`) }

/** The label of a bound. One that says itself which end of a period it is gets words: 账期起起 is none. */
export function boundLabel({ label }: Field, bound: Bound): string {
  const [from, to] = /[起止]$/.test(label) ? ['不早于', '不晚于'] : ['起', '止']
  return `${label}${bound === 'From' ? from : to}`
}
