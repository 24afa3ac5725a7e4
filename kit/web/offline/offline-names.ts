/** Before the name of every cache of pages; the rest of the name is the release. */
export const offlineCachePrefix = 'anju.offline/'

/** Before the key of every answer that is kept for where there is no network. */
export const offlineAnswerPrefix = 'offline/'

/** Asks the worker to keep the pages; it does nothing by itself. */
export const keepMessage = 'keep'
