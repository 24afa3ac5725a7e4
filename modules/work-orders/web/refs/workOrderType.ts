import { labelOf } from '#kit/contract/field.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { orderCategory } from '../../contract/choices.ts'
import { pickOrderTypes } from '../../contract/order-type.ts'

/** Kinds of orders by name or code; one that is out of use is shown and cannot be chosen. */
export default createRefSource(pickOrderTypes, {
  value: row => row.id,
  label: row => row.typeName,
  note: row => labelOf(orderCategory, row.category),
  disabledReason: row => (row.state === 'on' ? undefined : '已停用'),
})
