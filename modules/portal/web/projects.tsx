import { projects } from '../contract/entry.ts'
import { entryPages } from './entry-pages.tsx'

export const pages = entryPages(projects, { unit: '个项目', itemName: '项目' })
