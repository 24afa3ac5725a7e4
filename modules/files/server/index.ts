import './personal-data.ts'
import { downloadHandlers } from './download.ts'
import { fileLinkHandlers } from './file-link.ts'
import { purgeCron } from './node-bin.ts'
import { nodeChangeHandlers } from './node-changes.ts'
import { nodeListHandlers } from './node-list.ts'
import { shareHandlers } from './share.ts'
import { filesUpload, uploadHandlers } from './upload.ts'
import { companyData } from './company-data.ts'

export const server = {
  companyData,
  handlers: [
    ...nodeListHandlers,
    ...nodeChangeHandlers,
    ...uploadHandlers,
    ...downloadHandlers,
    ...fileLinkHandlers,
    ...shareHandlers,
  ],
  crons: [purgeCron],
  uploads: [filesUpload],
}
