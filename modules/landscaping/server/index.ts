import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { greenAreaServer } from './green-area.ts'
import { plantServer } from './plant.ts'
import { templateServer } from './template.ts'
import { workServer } from './work.ts'

export const server = joinServers(plantServer, greenAreaServer, templateServer, workServer)
