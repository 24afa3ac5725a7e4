import { refOf } from '#kit/web/refs.ts'
import { listEstates } from '../../contract/estate.ts'

export default refOf(listEstates, { value: e => e.projectCode, label: e => e.name, note: e => e.projectCode, off: e => (e.state === 'off' ? '项目已停用' : undefined) })
