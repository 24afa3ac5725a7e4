import { useState, type ReactNode } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { usePermission } from '#kit/web/session.ts'
import { errorSentence } from '#kit/web/list/list-feedback.tsx'
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
const SpecialFolderDialog = lazyComponent(() =>
  import('./special-folder-dialog.tsx').then(m => m.SpecialFolderDialog),
)
const ShareDialog = lazyComponent(() => import('./share-dialog.tsx').then(m => m.ShareDialog))

interface FileActionsOptions {
  readonly projectCode: string
  readonly files: Files
  readonly selection: NodeSelection
}

/** A push or kernel folder that is being named; answers with its key, or nothing. */
interface NewSpecialFolder {
  readonly type: 'push' | 'kernel'
  readonly answer: (key?: string) => void
}

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

const downloadOne = (node: FileNode): void =>
  void downloadFile(node).catch((error: unknown) => toast.error(errorSentence(error)))

/** A folder is renamed once it is there; a push or kernel folder, which is not (FILE-3), is named before. */
function useNewFolder(projectCode: string, dirId: Id, onAdded: (key: string) => void) {
  const [asked, setAsked] = useState<NewSpecialFolder>()
  return {
    add: async (type: DirectoryType): Promise<string | undefined> => {
      if (type !== 'ordinary') return new Promise(answer => setAsked({ type, answer }))
      const added = await addFolder(projectCode, dirId)
      onAdded(added)
      return added
    },
    dialog: asked && (
      <SpecialFolderDialog
        projectCode={projectCode}
        type={asked.type}
        onAdded={asked.answer}
        onClose={() => {
          asked.answer()
          setAsked(undefined)
        }}
      />
    ),
  }
}

/** What can be done with the selection, and the dialogs that ask for more. */
export function useFileActions({ projectCode, files, selection }: FileActionsOptions) {
  const hasPermission = usePermission()
  const [opened, setOpened] = useState<OpenDialog>()
  // The dialog stays about what was selected when it was opened.
  const [subjects, setSubjects] = useState<readonly FileNode[]>([])
  const [renaming, setRenaming] = useState<string>()
  const newFolder = useNewFolder(projectCode, files.address.dirId, setRenaming)
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
    dialog: newFolder.dialog ?? (
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
    downloadOne,
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
    addFolder: newFolder.add,
  }
}
