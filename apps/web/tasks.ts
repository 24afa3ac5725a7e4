import type { Tasks } from '#kit/web/shell/host.ts'
export const tasks: Tasks = { list: async () => [], stop: async () => {}, retry: async () => {}, download: async () => {}, clear: async () => {} }
