import { joinServers } from '#kit/server/crud.ts'

export const server = joinServers()
