import { createRefSource } from '#kit/web/refs.ts'
import { listFormulas } from '../../contract/formula.ts'

export default createRefSource(listFormulas, {
  value: f => f.id,
  label: f => f.name,
  note: f => f.expression,
  disabledReason: f => (f.state === 'off' ? '已停用' : undefined),
})
