import { useMemo } from 'react'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { getFolderTree, listNodes } from '../contract/node.ts'
import { menu } from '../module.ts'
import { effectiveTypeOf, pathTo } from './folder-path.ts'
import { useFileAddress } from './use-file-address.ts'

const noFolders: NonNullable<typeof getFolderTree.output.T> = []
const noRows: NonNullable<typeof listNodes.output.T>['rows'] = []

/** What of a project's files is shown, and what may be changed there. */
export function useFiles(projectCode: string) {
  const hasPermission = usePermission()
  const navigation = useFileAddress()
  const { dirId, keyword, label, order, page, size } = navigation.address
  const tree = useCall(getFolderTree, { projectCode }, { keepPrevious: true })
  const isSearch = keyword !== '' || label !== ''
  const list = useCall(
    listNodes,
    { projectCode, dirId, order, page, size, ...(keyword && { keyword }), ...(label && { label }) },
    { keepPrevious: true },
  )
  const folders = tree.data ?? noFolders
  const path = useMemo(() => pathTo(folders, dirId), [folders, dirId])
  const inside = effectiveTypeOf(path)
  const canKeepSpecial = hasPermission(menu.file.permissions.special)
  return {
    ...navigation,
    tree,
    folders,
    path,
    list,
    rows: list.data?.rows ?? noRows,
    total: list.data?.total,
    isSearch,
    /** Somebody else has deleted it. */
    isFolderMissing:
      !isSearch && dirId !== 0 && tree.data !== undefined && !tree.isFetching && path.length === 0,
    inside,
    canKeepSpecial,
    canChange: inside === 'ordinary' || canKeepSpecial,
    /** Another page, folder or search. */
    scope: JSON.stringify([projectCode, dirId, keyword, label, page, size]),
  }
}

export type Files = ReturnType<typeof useFiles>
