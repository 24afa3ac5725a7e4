import * as batch from './room-batch.ts'
import * as board from './room-board.ts'
import * as effectiveDate from './effective-date.ts'
import * as change from './room-change.ts'
import * as room from './room.ts'
import * as importExport from './import-export.ts'
import * as labels from './labels.ts'

export const contract = {
  calls: [
    room.listRooms,
    room.findRooms,
    room.getRoom,
    room.addRoom,
    room.editRoom,
    room.deleteRooms,
    batch.previewRoomBatch,
    batch.addRoomBatch,
    change.changeRoomAreas,
    change.listRoomChanges,
    change.cancelRoomChanges,
    change.changeRoomState,
    effectiveDate.getEffectiveDateLimit,
    board.listBoardBuildings,
    board.getRoomBoard,
    board.getRoomPanel,
    board.listPositionNodes,
    ...importExport.importRooms.calls,
    ...importExport.exportRooms.calls,
    ...importExport.exportShops.calls,
  ],
  entities: [room.room, change.roomChange],
  choices: [
    labels.roomType,
    labels.roomState,
    labels.useType,
    labels.sceneType,
    labels.placeKind,
    labels.positionLevel,
    labels.changeItem,
    labels.payerKind,
    labels.duplicateMode,
    board.sectionTone,
  ],
}
