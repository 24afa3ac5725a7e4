import { registerProjectChildren } from '#kit/server/project-removal.ts'

registerProjectChildren({ table: 'meter_unread', parent: 'meter', column: 'meter_id' })
