import { websites } from '../contract/entry.ts'
import { entryPages } from './entry-pages.tsx'

export const pages = entryPages(websites, { unit: '个网站', itemName: '网站' })
