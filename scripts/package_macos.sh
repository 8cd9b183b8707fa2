#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds "Energy Profiler.app" and a disk image of it; prints the image's path as the last line.
#   scripts/package_macos.sh [OUT_FOLDER]     (default: dist)
#   scripts/package_macos.sh --finish APP [OUT_FOLDER]
#                           only the steps after the build, on a bundle that is there
# Signing, from the environment:
#   EP_SIGN_IDENTITY    "Developer ID Application: ..."; without it the signature is ad hoc, which
#                       starts on this Mac only
#   EP_NOTARY_PROFILE   a profile of `xcrun notarytool store-credentials`; without it nothing is
#                       notarised
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

say() { echo "package: $*" >&2; }

die() {
    say "$*"
    exit 1
}

# Everything that Mach-O files need is in the functions below, one tool each.

deploy_qt() { # APP: Qt's frameworks and plugins into the bundle
    local app=$1
    macdeployqt "$app" -verbose=1 -libpath="$app/Contents/Frameworks" \
        -executable="$app/Contents/Frameworks/ep-engine.so" >&2
}

libraries_of() { # FILE: what it links, one path a line
    otool -L "$1" | sed -n '2,$s/^[[:space:]]*\(.*\) (compatibility.*/\1/p'
}

rpaths_of() { # FILE
    otool -l "$1" | awk '$1 == "cmd" { rpath = ($2 == "LC_RPATH") } rpath && $1 == "path" { print $2 }'
}

is_system() { # LIBRARY: part of every macOS
    case "$1" in
        /usr/lib/* | /System/*) return 0 ;;
        *) return 1 ;;
    esac
}

locate_library() { # NAME USER: the file behind a name, empty when there is none
    local name=$1 user=$2 folder
    case "$name" in
        @rpath/*)
            while read -r folder; do
                folder=${folder/@loader_path/$(dirname "$user")}
                if [ -e "$folder/${name#@rpath/}" ]; then
                    echo "$folder/${name#@rpath/}"
                    return
                fi
            done < <(rpaths_of "$user")
            ;;
        @loader_path/*)
            [ -e "$(dirname "$user")/${name#@loader_path/}" ] \
                && echo "$(dirname "$user")/${name#@loader_path/}"
            ;;
        /*) [ -e "$name" ] && echo "$name" ;;
    esac
    return 0
}

# LibTorch and whatever it needs, which macdeployqt leaves alone: beside the engine, found from there.
gather_libraries() { # APP
    local app=$1 frameworks="$1/Contents/Frameworks" file name source base original
    local -a queue=("$frameworks/ep-engine.so" "$app/Contents/MacOS/energy-profiler")
    local -a origins=("${EP_ENGINE_ORIGIN:-$frameworks/ep-engine.so}" "${queue[1]}")
    while [ ${#queue[@]} -gt 0 ]; do
        file=${queue[0]}
        original=${origins[0]}
        queue=("${queue[@]:1}")
        origins=("${origins[@]:1}")
        while read -r name; do
            base=$(basename "$name")
            if is_system "$name" || [ "$base" = "$(basename "$file")" ]; then
                continue
            fi
            case "$name" in
                *.framework/* | @executable_path/*) continue ;; # macdeployqt's work
            esac
            if [ ! -e "$frameworks/$base" ]; then
                source=$(locate_library "$name" "$original")
                [ -n "$source" ] || die "$file needs $name, which is nowhere to be found"
                cp -L "$source" "$frameworks/$base"
                chmod u+w "$frameworks/$base"
                install_name_tool -id "@rpath/$base" "$frameworks/$base"
                queue+=("$frameworks/$base")
                origins+=("$source")
            fi
            if [ "$name" != "@rpath/$base" ]; then
                install_name_tool -change "$name" "@rpath/$base" "$file"
            fi
        done < <(libraries_of "$file")
        fix_rpaths "$file"
    done
}

# Only folders inside the bundle: a rest of the build machine would win there and be missing elsewhere.
fix_rpaths() { # FILE
    local file=$1 path wanted="@loader_path"
    case "$file" in
        */MacOS/*) wanted="@executable_path/../Frameworks" ;;
    esac
    local present=no
    while read -r path; do
        if [ "$path" = "$wanted" ]; then
            present=yes
        else
            install_name_tool -delete_rpath "$path" "$file"
        fi
    done < <(rpaths_of "$file")
    if [ $present = no ]; then
        install_name_tool -add_rpath "$wanted" "$file"
    fi
}

check_bundle() { # APP: nothing may point outside
    local app=$1 file name bad=no
    while read -r file; do
        while read -r name; do
            case "$name" in
                @rpath/* | @executable_path/* | @loader_path/*) ;;
                *)
                    if ! is_system "$name"; then
                        say "$file still refers to $name"
                        bad=yes
                    fi
                    ;;
            esac
        done < <(libraries_of "$file")
    done < <(mach_files "$app")
    [ $bad = no ] || die "the bundle would only start on this machine"
}

mach_files() { # APP: libraries and plugins first, the program last, as signing wants it
    mkdir -p "$1/Contents/PlugIns"
    find "$1/Contents/Frameworks" "$1/Contents/PlugIns" -type f \( -name '*.dylib' -o -name '*.so' \) | sort
    echo "$1/Contents/MacOS/energy-profiler"
}

sign_one() { # PATH [OPTION...]
    local path=$1
    shift
    if [ -n "${EP_SIGN_IDENTITY:-}" ]; then
        codesign --force --timestamp --options runtime --sign "$EP_SIGN_IDENTITY" "$@" "$path"
    else
        codesign --force --sign - "$@" "$path"
    fi
}

sign_bundle() { # APP: from the inside outwards
    local app=$1 file
    while read -r file; do
        sign_one "$file"
    done < <(mach_files "$app" | sed '$d')
    find "$app/Contents/Frameworks" -maxdepth 1 -name '*.framework' | sort | while read -r file; do
        sign_one "$file"
    done
    sign_one "$app" --entitlements "$root/resources/macos/entitlements.plist"
    codesign --verify --deep --strict "$app"
}

make_image() { # APP OUT: prints the image
    local app=$1 out=$2 version staging image
    version=$(/usr/libexec/PlistBuddy -c 'Print CFBundleShortVersionString' \
        "$app/Contents/Info.plist" 2>/dev/null || plist_value "$app" CFBundleShortVersionString)
    image="$out/energy-profiler-$version-$(uname -m).dmg"
    staging=$(mktemp -d)
    cp -R "$app" "$staging/"
    ln -s /Applications "$staging/Applications"
    rm -f "$image"
    hdiutil create -volname "Energy Profiler" -srcfolder "$staging" -format UDZO -ov "$image" >&2
    rm -rf "$staging"
    echo "$image"
}

plist_value() { # APP KEY
    python3 -c 'import plistlib, sys
print(plistlib.load(open(sys.argv[1] + "/Contents/Info.plist", "rb"))[sys.argv[2]])' "$1" "$2"
}

notarise() { # IMAGE
    local image=$1
    if [ -z "${EP_NOTARY_PROFILE:-}" ]; then
        say "not notarised: set EP_SIGN_IDENTITY and EP_NOTARY_PROFILE to do so"
        return
    fi
    [ -n "${EP_SIGN_IDENTITY:-}" ] || die "EP_NOTARY_PROFILE needs EP_SIGN_IDENTITY: Apple takes nothing signed ad hoc"
    sign_one "$image"
    xcrun notarytool submit "$image" --keychain-profile "$EP_NOTARY_PROFILE" --wait >&2
    xcrun stapler staple "$image" >&2
}

finish_bundle() { # APP OUT: all steps after the build
    local app=$1 out=$2 image
    [ -d "$app/Contents/MacOS" ] || die "$app is no application bundle"
    mkdir -p "$app/Contents/Resources" "$app/Contents/Frameworks" "$out"
    say "drawing the icon"
    python3 "$here/icon.py" icns "$app/Contents/Resources/energy-profiler.icns" \
        "${EP_ICON_LARGEST:-1024}"
    printf 'APPL????' >"$app/Contents/PkgInfo"
    say "gathering libraries"
    gather_libraries "$app"
    deploy_qt "$app"
    check_bundle "$app"
    say "signing ${EP_SIGN_IDENTITY:-ad hoc}"
    sign_bundle "$app"
    image=$(make_image "$app" "$out")
    notarise "$image"
    echo "$image"
}

main() {
    local out=dist app folder tool
    if [ "${1:-}" = --finish ]; then
        [ $# -ge 2 ] || { sed -n '3,6p' "$0" >&2; exit 2; }
        app=$2
        out=${3:-dist}
    else
        case "${1:-}" in
            -*) sed -n '3,6p' "$0" >&2; exit 2 ;;
        esac
        out=${1:-dist}
        [ "$(uname -s)" = Darwin ] || die "a bundle is built on a Mac; scripts/package_linux.sh makes a Debian package"
    fi
    for tool in macdeployqt otool install_name_tool codesign hdiutil python3; do
        command -v $tool >/dev/null || die "$tool is needed: install Xcode's command line tools and Qt"
    done
    if [ -z "${app:-}" ]; then
        cd "$root"
        ./scripts/setup.sh >&2
        folder=$(./scripts/build.sh release energy-profiler ep_engine_plugin | tail -n 1)
        rm -rf "$folder/bundle"
        cmake --install "$folder" --prefix "$folder/bundle" >&2
        app="$folder/bundle/Energy Profiler.app"
        # As built, it still knows where LibTorch lies.
        export EP_ENGINE_ORIGIN="$root/$folder/lib/ep-engine.so"
    fi
    finish_bundle "$app" "$out"
}

main "$@"
