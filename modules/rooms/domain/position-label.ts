interface LabelParts {
  readonly estateName?: string | undefined
  readonly buildName?: string | undefined
  readonly unitName?: string | undefined
  readonly roomNo?: string | undefined
}

/** 项目-楼栋-单元-房号; what a place does not have is left out (0§3). */
export const formatAreaLabel = (place: LabelParts): string =>
  [place.estateName, place.buildName, place.unitName, place.roomNo]
    .filter(x => x !== undefined && x !== '')
    .join('-')

interface PositionParts {
  readonly projectCode?: string | undefined
  readonly buildCode?: string | undefined
  readonly unitName?: string | undefined
}

/** Keys of the branches of the position tree that a place is in, from the top. */
export const positionKeys = ({ projectCode, buildCode, unitName }: PositionParts): string[] =>
  projectCode === undefined
    ? []
    : [
        projectCode,
        ...(buildCode ? [`${projectCode}/${buildCode}`] : []),
        ...(buildCode && unitName !== undefined ? [`${projectCode}/${buildCode}/${unitName}`] : []),
      ]
