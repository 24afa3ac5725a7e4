import { registerProjectChildren } from '#kit/server/project-removal.ts'

const ofInstance = { parent: 'process_instance', column: 'instance_id' }

registerProjectChildren(
  { table: 'process_task', ...ofInstance },
  { table: 'process_form', ...ofInstance },
  { table: 'process_comment', ...ofInstance },
  { table: 'process_copy', ...ofInstance },
)
