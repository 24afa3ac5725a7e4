import type { Messages, Tasks } from '#kit/web/shell/host.ts'
import { paths as systemPaths } from '#modules/system/module.ts'

/** Fetched with the extensions, once the shell is drawn. */
const loadTasks = async () => (await import('./extensions.ts')).tasks
const loadMessages = async () => (await import('./extensions.ts')).messages

export const tasks: Tasks = {
  list: async signal => (await loadTasks()).list(signal),
  stop: async id => (await loadTasks()).stop(id),
  retry: async id => (await loadTasks()).retry(id),
  download: async (id, which) => (await loadTasks()).download(id, which),
  clear: async () => (await loadTasks()).clear(),
}

export const messages: Messages = {
  paths: {
    all: systemPaths.notifications,
    one: id => `${systemPaths.message}?id=${id}`,
    settings: systemPaths.noticeSetting,
  },
  taskEnded: 'system.task',
  unread: async signal => (await loadMessages()).unread(signal),
  latest: async signal => (await loadMessages()).latest(signal),
  read: async which => (await loadMessages()).read(which),
  announcements: async signal => (await loadMessages()).announcements(signal),
}
