import { refOf } from '#kit/web/refs.ts'
import { listTags } from '../../contract/tag.ts'

export default refOf(listTags, { value: t => t.name, label: t => t.name, input: () => ({ size: 200 }) })
