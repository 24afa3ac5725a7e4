import { imageTexts } from '../contract/entry.ts'
import { entryPages } from './entry-pages.tsx'

export const pages = entryPages(imageTexts, { unit: '篇图文', itemName: '图文' })
