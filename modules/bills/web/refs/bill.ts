import { createRefSource } from '#kit/web/refs.ts'
import { listBills } from '../../contract/list.ts'

export default createRefSource(listBills, {
  value: b => b.id,
  label: b => b.billNo,
  note: b => `${b.sourceName} ${b.feeItemName}`,
  inputFromContext: () => ({ anyState: true }),
})
