import { useState, type ReactNode } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { actionsFor, pushRefusal, type DirectoryType, type PushAction } from '../domain/file-actions.ts'
import { menu } from '../module.ts'
import { downloadFile } from './download.ts'
import { addFolder, deleteSelection } from './node-operations.ts'
import { nodeKey, toSelected, type FileNode } from './node.ts'
import { filePushers } from './public.actions.ts'
import type { Files } from './use-files.ts'
import type { NodeSelection } from './use-node-selection.ts'

const DownloadDialog = lazyComponent(() => import('./download-dialog.tsx').then(m => m.DownloadDialog))
const MoveDialog = lazyComponent(() => import('./move-dialog.tsx').then(m => m.MoveDialog))
const ShareDialog = lazyComponent(() => import('./share-dialog.tsx').then(m => m.ShareDialog))

interface FileActionsOptions {
  readonly projectCode: string
  readonly files: Files
  readonly selection: NodeSelection
}

/** FILE-3: a push or kernel folder is not renamed. */
const keepsName = (type: DirectoryType): boolean => type !== 'ordinary'

type OpenDialog = 'share' | 'download' | 'move' | 'copy' | PushAction

interface ActionDialogProps {
  readonly opened: OpenDialog | undefined
  readonly projectCode: string
  readonly nodes: readonly FileNode[]
  readonly inside: DirectoryType
  readonly onClose: () => void
}

function ActionDialog({ opened, projectCode, nodes, inside, onClose }: ActionDialogProps): ReactNode {
  const [pusher] = filePushers.useAll()
  if (opened === 'share') return <ShareDialog projectCode={projectCode} nodes={nodes} onClose={onClose} />
  if (opened === 'download')
    return <DownloadDialog projectCode={projectCode} nodes={nodes} onClose={onClose} />
  if (opened === 'move' || opened === 'copy')
    return <MoveDialog kind={opened} projectCode={projectCode} nodes={nodes} onClose={onClose} />
  const [file] = nodes
  if (!opened || !file || !pusher) return null
  return (
    <pusher.Dialog action={opened} projectCode={projectCode} file={file} inside={inside} onClose={onClose} />
  )
}

/** What can be done with the selection, and the dialogs that ask for more. */
export function useFileActions({ projectCode, files, selection }: FileActionsOptions) {
  const hasPermission = usePermission()
  const [opened, setOpened] = useState<OpenDialog>()
  // The dialog stays about what was selected when it was opened.
  const [subjects, setSubjects] = useState<readonly FileNode[]>([])
  const [renaming, setRenaming] = useState<string>()
  const { nodes } = selection
  const offered = actionsFor(nodes.map(toSelected), files.inside)
  const canRename = offered.has('rename') && files.canChange && hasPermission(menu.file.permissions.edit)
  const open = (dialog: typeof opened): void => {
    setSubjects(nodes)
    setOpened(dialog)
  }
  return {
    renaming,
    endRenaming: (): void => setRenaming(undefined),
    dialog: (
      <ActionDialog
        opened={opened}
        projectCode={projectCode}
        nodes={subjects}
        inside={files.inside}
        onClose={() => setOpened(undefined)}
      />
    ),
    canRemove: offered.has('delete') && files.canChange && hasPermission(menu.file.permissions.del),
    share: (): void => open('share'),
    move: (): void => open('move'),
    copy: (): void => open('copy'),
    push: (action: PushAction): void => {
      const refusal = pushRefusal(nodes.map(toSelected), action)
      if (refusal) {
        toast.warning(refusal)
      } else {
        open(action)
      }
    },
    download: (): void => open('download'),
    downloadOne: (node: FileNode): void => void downloadFile(node).catch(() => {}),
    rename: (): void => {
      const [node] = nodes
      if (!node || !canRename) return
      if (nodes.length > 1) {
        toast.warning('不能同时修改多个文件的名称，请只选择一个')
      } else {
        setRenaming(nodeKey(node))
      }
    },
    remove: async (): Promise<void> => {
      if (await deleteSelection(projectCode, nodes)) {
        selection.clear()
      }
    },
    addFolder: async (type: DirectoryType): Promise<string> => {
      const added = await addFolder(projectCode, files.address.dirId, type)
      setRenaming(keepsName(type) ? undefined : added)
      return added
    },
  }
}
