import { refOf } from '#kit/web/refs.ts'
import { listBills } from '../../contract/list.ts'

export default refOf(listBills, {
  value: b => b.id,
  label: b => b.billNo,
  note: b => `${b.sourceName} ${b.feeItemName}`,
  input: () => ({ anyState: true }),
})
