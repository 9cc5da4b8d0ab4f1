// SPDX-License-Identifier: MIT
// A gallery: a banner that stretches when it is pulled and collapses to a bar, and albums that stay below it.
import QtQuick
import Headerd

HeaderedFlickable {
    id: gallery
    readonly property var albums: ["All", "Hills", "Lakes"]

    width: 360
    height: 640
    description: ({
        delegates: [{ behavior: "CollapsingHeader", options: { drawers: [
            { drawer: "banner", collapse: true, returns: "atTop", stretch: { factor: 1 } }, { drawer: "albums", pin: true }] } }]
    })
    flickable: GridView {
        objectName: "pictures"
        model: 90
        cellWidth: width / 3
        cellHeight: cellWidth
        delegate: Item {
            required property int index
            width: GridView.view.cellWidth
            height: width
            Rectangle {
                anchors { fill: parent; margins: 1 }
                gradient: Gradient {
                    GradientStop { position: 0; color: Qt.hsva((index * 37 % 100) / 100, 0.35, 0.95, 1) }
                    GradientStop { position: 1; color: Qt.hsva((index * 37 % 100) / 100, 0.6, 0.6, 1) }
                }
            }
        }
    }

    Rectangle {
        id: banner
        readonly property var drawer: ({ minimumHeight: 48 })
        // 0 where it is whole, 1 where it is a bar.
        readonly property real share: Math.min(1, Math.max(0, (180 - height) / 132))
        objectName: "banner"
        implicitHeight: 180
        gradient: Gradient {
            GradientStop { position: 0; color: "#29536f" }
            GradientStop { position: 1; color: "#7fb0a5" }
        }
        Text {
            text: "Gallery"
            color: "white"
            x: 16
            y: parent.height - height - 16 + 6 * banner.share
            font { pixelSize: 36 - 16 * banner.share; bold: true }
        }
    }
    Rectangle {
        objectName: "albums"
        implicitHeight: 40
        color: "#eef2f1"
        Row {
            anchors.centerIn: parent
            spacing: 48
            Repeater {
                model: gallery.albums
                Text { required property string modelData; text: modelData; font.pixelSize: 15; color: "#29536f" }
            }
        }
    }
}
