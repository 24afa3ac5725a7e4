import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { labelHandlers } from './labels.ts'
import { locationServer } from './location.ts'
import { templateServer } from './template.ts'
import { workServer } from './work.ts'

export const server = joinServers(templateServer, locationServer, workServer, { handlers: labelHandlers })
