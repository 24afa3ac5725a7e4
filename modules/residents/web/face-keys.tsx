import type { Id } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { PageTabs } from '#kit/web/page-tabs.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import {
  deleteFaces,
  faceKey,
  listFaces,
  listStaffFaces,
  saveFace,
  saveStaffFace,
  type FaceKey,
} from '../contract/card.ts'
import { faceState } from '../contract/labels.ts'
import { menu, paths } from '../module.ts'
import { useHolderRightsTab } from './holder-rights-tab.tsx'

const stateText = ({ isExpired, state }: FaceKey): string =>
  isExpired ? '已过期' : labelOf(faceState, state)

const FaceStatus = ({ face }: { readonly face: FaceKey }) =>
  face.isExpired ? (
    <Status tone="off">已过期</Status>
  ) : (
    <ChoiceStatus choices={faceState} value={face.state} />
  )

const faceColumns = (holder: 'userName' | 'staffName') =>
  buildColumns(listFaces.output, [
    { key: holder, identity: true },
    { key: 'face', width: 72, render: face => <StoredImages fileKeys={[face.face]} size={32} /> },
    { key: 'quality', hidePriority: 1 },
    { key: 'beginDate', hidePriority: 1 },
    { key: 'endDate', render: face => face.endDate ?? '长期', text: face => face.endDate ?? '长期' },
    { key: 'state', text: stateText, render: face => <FaceStatus face={face} /> },
    { key: 'failReason', hidePriority: 2, grow: 1 },
    { key: 'createTime', title: '录入时间', hidePriority: 1 },
  ])

const residentColumns = faceColumns('userName')
const staffColumns = faceColumns('staffName')

const faceViews = [
  { id: '', name: '全部', filter: {} },
  { id: 'waiting', name: '待下发', filter: { state: ['waiting'] } },
  { id: 'good', name: '有效', filter: { state: ['good'] } },
  { id: 'failed', name: '下发失败', filter: { state: ['failed'] } },
  { id: 'ending', name: '7 天内到期', filter: { endsSoon: true } },
  { id: 'expired', name: '已过期', filter: { isExpired: true } },
]

const faceGroups = (holder: 'userId' | 'staffId' | undefined) => [
  {
    keys: [
      ...(holder ? [{ key: holder, wide: true, isRequired: true }] : []),
      'face',
      { key: 'doorwayGroupIds', wide: true },
      'beginDate',
      { key: 'endDate', help: '当天仍有效；不填为长期' },
    ],
  },
]

const holderName = ({ userName, staffName }: FaceKey): string => userName ?? staffName ?? ''

const deleteFacesAction = createReasonAction<FaceKey>(deleteFaces, {
  unit: '个人脸',
  nameOf: holderName,
  reasonPresets: ['照片不清晰', '已迁出', '已离职'],
  consequences: ['同时从设备上删除'],
})

const entryAction = {
  label: '手机录入',
  needs: menu.card.permissions.add,
  run: () => navigateTo(paths.faceEntry),
}

/** Faces as keys; devices get them from access control. */
export function FaceList({ userId }: { readonly userId?: Id | undefined }) {
  const groups = useMemo(() => faceGroups(userId === undefined ? 'userId' : undefined), [userId])
  const tabs = useHolderRightsTab()
  const form = useEdit({
    itemName: '人脸',
    add: saveFace,
    edit: saveFace,
    isRowComplete: true,
    nameOf: (face: FaceKey) => face.userName ?? '',
    groups,
    presentation: 'dialog',
    ...(userId ? { initial: { userId } } : {}),
  })
  return (
    <>
      <ListPage
        embedded
        {...(userId ? { fixedFilter: { userId } } : {})}
        list={listFaces}
        itemName="人脸"
        keywordPlaceholder="姓名/手机/拼音"
        settingsKey={userId ? 'residents/own-faces' : 'residents/faces'}
        columns={residentColumns}
        barFilters={['endDate']}
        views={faceViews}
        primaryAction={{ ...form.addAction, label: '录入人脸' }}
        toolbarActions={userId ? [] : [entryAction]}
        rowActions={face => [form.editAction(face), deleteFacesAction.row(face)]}
        batchActions={[deleteFacesAction.batch]}
        {...(userId
          ? {}
          : {
              drawer: {
                title: (face: FaceKey) => face.userName ?? '',
                width: 880 as const,
                tabs,
                historyEntity: faceKey.name,
                actions: (face: FaceKey) => [form.editAction(face), deleteFacesAction.row(face)],
              },
            })}
      />
      {form.dialog}
    </>
  )
}

const staffGroups = faceGroups('staffId')

/** The same of colleagues: what they open ends as they leave. */
function StaffFaceList() {
  const tabs = useHolderRightsTab()
  const form = useEdit({
    itemName: '员工人脸',
    add: saveStaffFace,
    edit: saveStaffFace,
    isRowComplete: true,
    nameOf: holderName,
    groups: staffGroups,
    presentation: 'dialog',
  })
  const actions = (face: FaceKey) => [form.editAction(face), deleteFacesAction.row(face)]
  return (
    <>
      <ListPage
        embedded
        list={listStaffFaces}
        itemName="员工人脸"
        keywordPlaceholder="姓名/手机/拼音"
        settingsKey="residents/staff-faces"
        columns={staffColumns}
        barFilters={['endDate']}
        views={faceViews}
        primaryAction={{ ...form.addAction, label: '录入员工人脸' }}
        toolbarActions={[entryAction]}
        rowActions={actions}
        batchActions={[deleteFacesAction.batch]}
        drawer={{ title: holderName, width: 880, tabs, historyEntity: faceKey.name, actions }}
      />
      {form.dialog}
    </>
  )
}

const holderTabs = [
  { key: 'residents', label: '住户', children: <FaceList /> },
  { key: 'staff', label: '员工', children: <StaffFaceList /> },
]

export const FacesPage = () => <PageTabs tabs={holderTabs} />
