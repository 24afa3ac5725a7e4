import { services } from '../contract/entry.ts'
import { entryPages } from './entry-pages.tsx'

export const pages = entryPages(services, { unit: '项服务', itemName: '服务' })
