import './door-part.ts'
import { codeHandlers } from './codes.ts'
import { entranceHandlers } from './entrance.ts'
import { homeHandlers } from './home.ts'

export const server = { handlers: [...homeHandlers, ...entranceHandlers, ...codeHandlers] }
