import { call, type Permission } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, file, int, text, type ChoiceOf } from '#kit/contract/field.ts'
import { bulkResult, recordIdField, recordIdsField, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { entryKind, entryState } from './choices.ts'
import { secureUrlRule } from './secure-url.ts'

interface EntryOptions {
  readonly kind: ChoiceOf<typeof entryKind>
  readonly name: string
  readonly label: string
  readonly table: string
  readonly path: string
  /** What an entry must have beside its title. */
  readonly needsLink: boolean
  readonly needsContent: boolean
  readonly coverLabel: string
  readonly contentLabel: string
  /** The limit of the content, in characters. */
  readonly maxContent: number
}

const entryEntity = (about: EntryOptions) =>
  entity(
    about.name,
    about.label,
    { table: about.table, tenancy: 'company', title: 'title', order: ['topSort', 'sort', 'id'] },
    {
      title: text(about.kind === 'website' || about.kind === 'service' ? '名称' : '标题', {
        required: true,
        max: 80,
        searchable: true,
      }),
      category: text('分类', { max: 40 }),
      content: text(about.contentLabel, {
        required: about.needsContent,
        max: about.maxContent,
        searchable: true,
        hiddenIn: ['filter', 'table'],
      }),
      linkUrl: text('网址', {
        required: about.needsLink,
        max: 200,
        rule: secureUrlRule,
        hiddenIn: ['filter'],
      }),
      cover: file(about.coverLabel, {
        wire: 'CoverUrl',
        hiddenIn: ['table', 'filter', 'sheet'],
        help: '图片，不超过 2048 KB',
      }),
      topSort: int('置顶次序', {
        required: true,
        initial: 0,
        min: 0,
        max: 9999,
        immutable: true,
        zeroIsNone: true,
        hiddenIn: ['form', 'filter', 'sheet'],
      }),
      sort: int('排序', { min: 0, max: 9999, initial: 0, hiddenIn: ['filter'] }),
      state: choice('状态', entryState, { required: true, initial: 'on' }),
    },
  )

type EntryPermissions = Readonly<Record<'view' | 'add' | 'edit' | 'del' | 'import' | 'export', Permission>>

/** The calls of one kind of entry: the plain ones, pinning, those of several entries, sheets. */
function entryCalls(
  entry: ReturnType<typeof entryEntity>,
  about: EntryOptions,
  permissions: EntryPermissions,
) {
  const { kind, path, label } = about
  const plain = crud(entry, {
    path,
    permissions,
    operations: ['list', 'get', 'add', 'edit', 'delete'],
    filters: ['category', 'state'],
    without: ['topSort'],
    affects: ['portal'],
  })
  const affects = [entry.name, 'portal']
  const setTop = call({
    route: `PUT ${path}/UpdateTop`,
    aliases: [`POST ${path}/UpdateTop`],
    title: `${label}置顶`,
    needs: permissions.edit,
    input: shape({
      id: recordIdField,
      topSort: int('置顶次序', {
        required: true,
        min: 0,
        max: 9999,
        wire: 'TopSort',
        help: '数值小的排在前；0 为不置顶',
      }),
    }),
    output: recordOf(entry),
    affects,
  })
  const setState = call({
    route: `PUT ${path}/UpdateState`,
    title: `启用或停用${label}`,
    needs: permissions.edit,
    input: shape({ ids: recordIdsField, state: choice('状态', entryState, { required: true }) }),
    output: bulkResult,
    affects,
  })
  const importSheet = crudImport(plain, {
    needs: permissions.import,
    columns: ['title', 'category', 'linkUrl', 'content', 'sort', 'state'],
    unique: ['title'],
    affects,
  })
  const exportSheet = crudExport(plain, { needs: permissions.export })
  return {
    ...plain,
    kind,
    setTop,
    setState,
    importSheet,
    exportSheet,
    calls: [...plain.calls, setTop, setState, ...importSheet.calls, ...exportSheet.calls],
  }
}

const websiteOptions: EntryOptions = {
  kind: 'website',
  name: 'portalWebsite',
  label: '常用网站',
  table: 'portal_website',
  path: 'NinternalWebsite',
  needsLink: true,
  needsContent: false,
  coverLabel: '图标',
  contentLabel: '说明',
  maxContent: 200,
}
const serviceOptions: EntryOptions = {
  ...websiteOptions,
  kind: 'service',
  name: 'portalService',
  label: '内部服务',
  table: 'portal_service',
  path: 'NinternalService',
  needsLink: false,
  needsContent: true,
  maxContent: 500,
}
const projectOptions: EntryOptions = {
  ...serviceOptions,
  kind: 'project',
  name: 'portalProject',
  label: '项目介绍',
  table: 'portal_project',
  path: 'NinternalProject',
  coverLabel: '图片',
  contentLabel: '介绍',
  maxContent: 2000,
}
const imageTextOptions: EntryOptions = {
  ...projectOptions,
  kind: 'imageText',
  name: 'portalImageText',
  label: '图文',
  table: 'portal_image_text',
  path: 'NinternalImagetext',
  contentLabel: '正文',
  maxContent: 5000,
}

/** A site that staff use: opened in a window of its own. */
export const portalWebsite = entryEntity(websiteOptions)
/** What the company does for its own people: how, and where it is asked for. */
export const portalService = entryEntity(serviceOptions)
export const portalProject = entryEntity(projectOptions)
export const portalImageText = entryEntity(imageTextOptions)

export const websites = entryCalls(portalWebsite, websiteOptions, menu.website.permissions)
export const services = entryCalls(portalService, serviceOptions, menu.service.permissions)
export const projects = entryCalls(portalProject, projectOptions, menu.project.permissions)
export const imageTexts = entryCalls(portalImageText, imageTextOptions, menu.imageText.permissions)

export const portalEntries = [websites, services, projects, imageTexts] as const

export type PortalEntry = Row<typeof portalService>
