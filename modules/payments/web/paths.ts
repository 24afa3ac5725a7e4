import type { Id } from '#kit/domain/id.ts'
import { paths } from '../module.ts'

export { paths } from '../module.ts'

export const recordPath = (id: Id): string => paths.recordDetail.replace(':id', String(id))
