import { parseId } from '#kit/domain/id.ts'
import { useSearchParams } from 'react-router'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { filesControl } from '#kit/web/controls/file-upload.tsx'
import { controls, type Control } from '#kit/web/controls/control-kinds.tsx'
import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { RichTextControl } from '#kit/web/rich-text/rich-text-control.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  uploadMaterial,
  wechatImageGroups,
  wechatMaterials,
  type WechatMaterial,
} from '../contract/material.ts'
import { menu, paths } from '../module.ts'
import { AccountPage } from './account-page.tsx'

type Draft = Partial<WechatMaterial>

const maxFileBytes = 10 * 1_048_576
const FilesControl = filesControl(maxFileBytes)

/** A picture with its preview; a sound or video as a file. */
const MediaControl: Control = props => {
  const { mediaType } = props.formValues as Draft
  if (mediaType !== 'voice' && mediaType !== 'video') return <controls.file {...props} />
  const keys = typeof props.value === 'string' && props.value ? [props.value] : []
  return (
    <FilesControl
      {...props}
      value={keys}
      onChange={value => props.onChange(Array.isArray(value) ? value.at(-1) : undefined)}
    />
  )
}

const isArticle = ({ mediaType }: Draft): boolean => mediaType === 'article'

const upload = async (material: WechatMaterial): Promise<void> => {
  await sendAndInvalidate(uploadMaterial, { id: material.id })
  toast.success(`已上传「${material.title}」到微信`)
}

export const pages = crudPages(wechatMaterials, {
  unit: '个素材',
  deletion: { consequences: ['自动回复正在使用的不能删除'], reasons: ['不再使用', '录入有误'] },
  columns: [
    { key: 'title', identity: true, grow: 2 },
    { key: 'mediaType', width: 80 },
    { key: 'groupName', width: 120, grow: 1 },
    {
      key: 'uploadTime',
      width: 150,
      text: row => row.uploadTime ?? '未上传',
      render: row => row.uploadTime ?? '未上传',
    },
  ],
  detail: [
    { keys: ['mediaType', 'groupName', 'digest', 'sourceUrl', 'uploadTime', { key: 'media', wide: true }] },
  ],
  form: {
    presentation: 'drawer',
    useInitial: () => {
      const [address] = useSearchParams()
      const accountId = parseId(address.get('id'))
      return accountId ? { accountId } : {}
    },
    groups: [
      {
        keys: [
          'title',
          'mediaType',
          'groupId',
          { key: 'author', isHidden: values => !isArticle(values) },
          { key: 'media', wide: true, control: MediaControl, isRequired: true },
          { key: 'digest', wide: true, isHidden: values => !isArticle(values) },
          { key: 'sourceUrl', wide: true, isHidden: values => !isArticle(values) },
          { key: 'content', wide: true, control: RichTextControl, isHidden: values => !isArticle(values) },
        ],
      },
    ],
  },
  actions: [
    {
      label: '上传到微信',
      needs: menu.material.permissions.upload,
      isOffered: row => row.uploadTime === undefined,
      run: upload,
    },
  ],
})

const { model: groupModel } = crudPages(wechatImageGroups, {
  unit: '个分组',
  deletion: { consequences: ['还有素材的分组不能删除'], reasons: ['不再使用', '录入有误'] },
  columns: [{ key: 'groupName', identity: true, grow: 2 }, 'sort'],
  form: { presentation: 'dialog', groups: [{ keys: ['groupName', 'sort'] }] },
  drawer: false,
})

/** 公众号素材: pictures, videos, sounds and articles, in groups. */
export default function MaterialsPage() {
  return (
    <AccountPage title="素材">
      {account => {
        const fixedFilter = { accountId: [String(account.id)] }
        return (
          <LazyTabs
            items={[
              {
                key: 'materials',
                label: '素材',
                children: (
                  <CrudList
                    model={pages.model}
                    canAdd={false}
                    list={{
                      embedded: true,
                      pageSize: 15,
                      fixedFilter,
                      barFilters: ['mediaType', 'groupId'],
                      settingsKey: 'wechat/materials',
                      primaryAction: {
                        label: '新增素材',
                        needs: menu.material.permissions.add,
                        run: () => navigateTo(`${paths.addMaterial}?id=${account.id}`),
                      },
                    }}
                  />
                ),
              },
              {
                key: 'groups',
                label: '分组',
                children: (
                  <CrudList
                    model={groupModel}
                    initial={{ accountId: account.id }}
                    list={{ embedded: true, pageSize: 15, fixedFilter, settingsKey: 'wechat/groups' }}
                  />
                ),
              },
            ]}
          />
        )
      }}
    </AccountPage>
  )
}
