import type { ServerModule } from '#kit/server/handle.ts'

export const server: ServerModule = { handlers: [] }
