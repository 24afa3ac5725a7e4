import type { Id } from '#kit/domain/id.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listNodes, modifyFolder, type FileNode } from '../contract/node.ts'
import { uploadToFolder } from '../contract/transfer.ts'

export const project = { projectCode: 'GOLD0001' }

const typesByEnd: Readonly<Record<string, string>> = { txt: 'text/plain', png: 'image/png' }
const typeOf = (name: string): string =>
  typesByEnd[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/** Folders and files of the first company, by default by its owner. */
export interface FilesApp extends GoldenApp {
  readonly me: CallOptions
  addFolder(name: string, pid?: Id, as?: CallOptions): Promise<FileNode>
  addFile(name: string, dirId?: Id, content?: string | Buffer): Promise<FileNode>
  namesIn(dirId: Id): Promise<string[]>
}

export async function openFilesApp(): Promise<FilesApp> {
  const t = await openGoldenApp({ works: true })
  const me = await t.owner
  return {
    ...t,
    owner: t.owner,
    me,
    addFolder: (name, pid = 0, as = me) => t.call(modifyFolder, { ...project, name, pid }, as),
    addFile: (name, dirId = 0, content = name) =>
      t.call(
        uploadToFolder,
        { ...project, dirId },
        { ...me, upload: { ...t.upload(name, Buffer.from(content)), type: typeOf(name) } },
      ),
    namesIn: async dirId => (await t.call(listNodes, { ...project, dirId }, me)).rows.map(node => node.name),
  }
}

export const idsOf = (...nodes: readonly FileNode[]) => ({
  ...project,
  fileIds: nodes.filter(node => node.type === 'file').map(node => String(node.id)),
  dirIds: nodes.filter(node => node.type === 'folder').map(node => String(node.id)),
})
