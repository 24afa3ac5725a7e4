import type { ChoiceOf } from '#kit/contract/field.ts'
import type { scene, sourceType } from '../contract/choices.ts'

type Scene = ChoiceOf<typeof scene>

const sceneCoverage: Readonly<Partial<Record<Scene, readonly Scene[]>>> = {
  roomShop: ['room', 'shop', 'roomShop'],
  roomShopArea: ['room', 'shop', 'roomShop', 'area', 'roomShopArea'],
}

/** FEE-9: an item for 房屋/商铺 fits rooms and shops alike, one for 含公区 public areas too. */
export const compatibleScenes = (requested: Scene): Scene[] =>
  (
    ['room', 'shop', 'roomShop', 'roomShopArea', 'area', 'car', 'parkPlace', 'company', 'lease'] as const
  ).filter(s => s === requested || sceneCoverage[s]?.includes(requested))

/** The kinds of place that a picker of rooms, shops and areas shows at once. */
const placesOfScene: Readonly<Partial<Record<Scene, readonly Scene[]>>> = {
  roomShop: ['room', 'shop'],
  roomShopArea: ['room', 'shop', 'area'],
}

/**
 * Scenes of the items to choose from (`GetByScene`, FEE-9): where places of several kinds are shown, whatever
 * fits one of them.
 */
export const selectableScenes = (requested: Scene): Scene[] => [
  ...new Set([requested, ...(placesOfScene[requested] ?? [requested]).flatMap(compatibleScenes)]),
]

type SourceType = ChoiceOf<typeof sourceType>

const scenesBySourceType: Readonly<Record<SourceType, readonly Scene[]>> = {
  room: ['room', 'shop', 'roomShop', 'roomShopArea'],
  car: ['car'],
  parkPlace: ['parkPlace'],
  publicArea: ['area', 'roomShopArea'],
  company: ['company'],
  lease: ['lease'],
  resident: ['room', 'shop', 'roomShop', 'roomShopArea'],
  merchant: ['shop', 'roomShop', 'roomShopArea'],
}

/** The scenes of items that an object of this type may be charged by. */
export const scenesOfSource = (type: SourceType): readonly Scene[] => scenesBySourceType[type]

/** Whether an item may be charged to an object of this type. A shop is a room of that room type. */
export const isSceneAllowed = (item: Scene, type: SourceType): boolean =>
  scenesBySourceType[type].includes(item)
