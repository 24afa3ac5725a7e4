import type { Call } from './call.ts'
import type { ChoiceOf } from './choice-table.ts'
import { choice, choiceTable } from './field.ts'
import { extendShape, type ListQuery, type Shape } from './shape.ts'

const listParts = choiceTable('ListPart', '返回内容', { rows: [10, '本页记录'], totals: [20, '总数与合计'] })

/** Half of a list's answer: the rows of the page, or the total and the sums of all that the filter finds. */
export interface PartQuery {
  readonly part?: ChoiceOf<typeof listParts>
}

/**
 * A search that may be asked for its halves one by one, so that the rows need not wait until everything is
 * counted; without `part` the answer holds both. For lists that grow to millions.
 */
export const inParts = <T>(whole: Shape<T>): Shape<T & PartQuery> =>
  extendShape(whole, {
    part: choice('返回内容', listParts, {
      help: '本页记录：Total 只是已知的条数；总数与合计：没有记录；不发送：两者都返回',
      hiddenIn: ['form'],
    }),
  })

type WithInput = Pick<Call, 'input'>

/** Whether a list can be asked for its halves. */
export const hasParts = (list: WithInput): boolean => 'part' in list.input.fields

/** What a screen asks a list for its rows alone, where it can. */
export const rowsOnly = (list: WithInput): PartQuery => (hasParts(list) ? { part: 'rows' } : {})

/** What a screen asks a list for its total and sums alone. */
export const totalsOnly = (list: WithInput): ListQuery & PartQuery =>
  hasParts(list) ? { part: 'totals' } : { page: 1, size: 1 }
