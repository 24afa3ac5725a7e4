import { refOf } from '#kit/web/refs.ts'
import { pickManagers } from '../../contract/manager.ts'

export default refOf(pickManagers, { value: m => m.id, label: m => m.realName, note: m => m.loginCode })
