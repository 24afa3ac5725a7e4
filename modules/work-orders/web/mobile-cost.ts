import { validateValue } from '#kit/contract/value.ts'
import { add, compare, isDecimal, round, type Decimal } from '#kit/domain/decimal.ts'
import { readYuan, type Fen } from '#kit/domain/money.ts'
import { chargeLineInput } from '../contract/charge.ts'
import { costLimitFault } from '../domain/cost.ts'
import type { ChargeLine } from './mobile-steps.ts'

/** A price of the list of a type. */
export interface PriceItem {
  readonly name: string
  readonly unit?: string | undefined
  readonly price: Fen
}

/** A line as it is being entered; a quantity that is no number yet stays as it was typed. */
export type DraftLine = ChargeLine & { readonly quantityText?: string | undefined }

/** A part that is typed and not among the lines yet. */
export interface PartEntry {
  readonly name: string
  readonly price: string
}

export const emptyEntry: PartEntry = { name: '', price: '' }

export const isEntryEmpty = ({ name, price }: PartEntry): boolean => !name.trim() && !price.trim()

/** The price list does not say what is work; its names do, and a tap corrects it. */
const kindOf = (name: string): ChargeLine['lineKind'] =>
  /人工|工时|上门|检测|服务费/.test(name) ? 'labour' : 'material'

const lineOf = ({ name, unit, price }: PriceItem): ChargeLine => ({
  lineKind: kindOf(name),
  name,
  ...(unit === undefined ? {} : { unit }),
  quantity: '1',
  price,
})

const readQuantity = (text: string): Decimal | undefined => {
  const value = text.trim()
  return isDecimal(value) && compare(value, '0') > 0 ? round(value, 3) : undefined
}

/** The line with another quantity typed. */
export function typeQuantity(line: DraftLine, text: string): DraftLine {
  const { quantityText: _before, ...rest } = line
  const quantity = readQuantity(text)
  return quantity === undefined ? { ...rest, quantityText: text } : { ...rest, quantity }
}

/** The lines with one more; what is there already becomes more. */
export function addItem(lines: readonly DraftLine[], item: PriceItem): readonly DraftLine[] {
  const added = lineOf(item)
  const index = lines.findIndex(line => line.name === added.name && line.price === added.price)
  const found = lines[index]
  if (!found) return [...lines, added]
  const { quantityText: _before, ...rest } = found
  return lines.with(index, { ...rest, quantity: add(found.quantity, added.quantity) })
}

/** Those of the price list whose name holds what is typed. */
export const matchingItems = (prices: readonly PriceItem[], { name }: PartEntry): readonly PriceItem[] =>
  prices.filter(item => item.name.includes(name.trim()))

const namedItem = (prices: readonly PriceItem[], { name }: PartEntry): PriceItem | undefined =>
  prices.find(item => item.name === name.trim())

/** What is typed is not on the list: it needs a price of its own. */
export const isNewItem = (prices: readonly PriceItem[], entry: PartEntry): boolean =>
  entry.name.trim() !== '' && namedItem(prices, entry) === undefined

/** What the entry would add: the item of that name, or a new one with its price; nothing if half typed. */
export function itemOfEntry(prices: readonly PriceItem[], entry: PartEntry): PriceItem | undefined {
  const name = entry.name.trim()
  if (name === '') return undefined
  const listed = namedItem(prices, entry)
  if (listed) return listed
  const price = readYuan(entry.price)
  return price === undefined || price < 0 ? undefined : { name, price }
}

/** The server would refuse it, without a network long after the work. */
function findLimitFault(lines: readonly DraftLine[]): string | undefined {
  for (const { name, quantity, price } of lines) {
    const fault =
      validateValue(chargeLineInput.quantity, quantity) ?? validateValue(chargeLineInput.price, price)
    if (fault) return `「${name}」的${fault}`
  }
  return costLimitFault(lines)
}

/** Why the work cannot be finished with this cost: nothing half typed is left behind. */
export function costProblem(lines: readonly DraftLine[], entry: PartEntry): string | undefined {
  const unread = lines.find(line => line.quantityText !== undefined)
  if (unread) return `「${unread.name}」的数量应为大于零的数`
  const limitFault = findLimitFault(lines)
  if (limitFault) return limitFault
  const name = entry.name.trim()
  if (name !== '') return `「${name}」尚未添加到费用明细，请添加或取消`
  return entry.price.trim() === '' ? undefined : '有单价没有名称，请补全或取消'
}

/** Why no price is shown: this phone has not read the list, or there is none. */
export function missingText(prices: readonly PriceItem[] | undefined): string | undefined {
  if (prices === undefined) return '价目尚未下载，联网后自动下载；可先填写名称与单价'
  return prices.length ? undefined : '该类型没有价目，请填写名称与单价'
}
