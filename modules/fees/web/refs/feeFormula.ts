import { refOf } from '#kit/web/refs.ts'
import { listFormulas } from '../../contract/formula.ts'

export default refOf(listFormulas, {
  value: f => f.id,
  label: f => f.name,
  note: f => f.expression,
  off: f => (f.state === 'off' ? '已停用' : undefined),
})
