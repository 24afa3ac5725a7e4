import { labelOf } from '#kit/contract/field.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { feeType } from '../../contract/choices.ts'
import { listItems } from '../../contract/item.ts'

export default createRefSource(listItems, {
  value: i => i.id,
  label: i => i.name,
  note: i => labelOf(feeType, i.feeType),
  disabledReason: i => (i.state === 'off' ? '已停用' : undefined),
})
