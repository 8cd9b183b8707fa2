#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds "Energy Profiler.app" and a disk image of it; prints the image's path as the last line.
#   scripts/package_macos.sh [OUT_FOLDER]     (default: dist)
#   scripts/package_macos.sh --finish APP [OUT_FOLDER]
#                           only the steps after the build, on an existing bundle
#   scripts/package_macos.sh --check APP
#                           only whether a finished bundle holds all that it refers to
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

# Everything that handles Mach-O files is in the functions below, with one tool each.

deploy_qt() { # APP: copies Qt's frameworks and plugins into the bundle
    local app=$1 plugins
    # `runs report` draws without a screen, but macdeployqt only copies the plugin for screens.
    local offscreen=$app/Contents/PlugIns/platforms/libqoffscreen.dylib
    plugins=$(qtpaths --query QT_INSTALL_PLUGINS)
    mkdir -p "$(dirname "$offscreen")"
    cp -L "$plugins/platforms/libqoffscreen.dylib" "$offscreen"
    chmod u+w "$offscreen"
    macdeployqt "$app" -verbose=1 -libpath="$app/Contents/Frameworks" \
        -executable="$app/Contents/Frameworks/ep-engine.so" -executable="$offscreen" >&2
}

libraries_of() { # FILE: the libraries that it links, one path a line
    otool -L "$1" | sed -n '2,$s/^[[:space:]]*\(.*\) (compatibility.*/\1/p'
}

rpaths_of() { # FILE: its rpaths, one per line; paths may contain blanks
    otool -l "$1" | sed -n '/^ *cmd LC_RPATH$/,/^ *path /s/^ *path \(.*\) (offset .*/\1/p'
}

minimum_of() { # FILE: the oldest macOS that it was built for; dyld refuses it on older ones
    # Reads to the end: otool fails, and the script with it, if the rest of its output is not read.
    otool -l "$1" | awk '$1 == "cmd" { found = ($2 == "LC_BUILD_VERSION" || $2 == "LC_VERSION_MIN_MACOSX") }
        found && !told && ($1 == "minos" || $1 == "version") { print $2; told = 1 }'
}

is_system() { # LIBRARY: succeeds if it is part of every macOS
    case "$1" in
        /usr/lib/* | /System/*) return 0 ;;
        *) return 1 ;;
    esac
}

locate_library() { # NAME USER: the file that a name refers to; empty if there is none
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

# LibTorch and all that it needs, which macdeployqt ignores: placed beside the engine.
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
                *.framework/* | @executable_path/*) continue ;; # handled by macdeployqt
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

# Leaves one rpath, inside the bundle: one from the build machine would win there and be missing
# elsewhere, and since macOS 15.4 dyld refuses a library that has the same rpath twice.
fix_rpaths() { # FILE
    local file=$1 path wanted="@loader_path"
    case "$file" in
        */MacOS/* | */PlugIns/* | *.framework/*) wanted="@executable_path/../Frameworks" ;;
    esac
    [ "$(rpaths_of "$file")" != "$wanted" ] || return 0
    # Read again each time: if a path occurs twice, one call may remove one or both.
    while path=$(rpaths_of "$file" | sed -n 1p) && [ -n "$path" ]; do
        install_name_tool -delete_rpath "$path" "$file"
    done
    install_name_tool -add_rpath "$wanted" "$file"
}

in_bundle() { # APP USER NAME: the file that dyld would find for a name; empty if not inside
    local app=$1 user=$2 name=$3 rest folder
    local here=$app/Contents/MacOS
    case "$name" in
        @executable_path/*) set -- "$here/${name#@executable_path/}" ;;
        @loader_path/*) set -- "$(dirname "$user")/${name#@loader_path/}" ;;
        @rpath/*)
            rest=${name#@rpath/}
            set --
            while read -r folder; do
                folder=${folder/@loader_path/$(dirname "$user")}
                set -- "$@" "${folder/@executable_path/$here}/$rest"
            done < <(rpaths_of "$user")
            # The program's own rpaths apply to everything that it loads.
            while read -r folder; do
                folder=${folder/@loader_path/$here}
                set -- "$@" "${folder/@executable_path/$here}/$rest"
            done < <(rpaths_of "$app/Contents/MacOS/energy-profiler")
            ;;
        *) return 0 ;;
    esac
    rest=$(cd "$app" && pwd -P)
    for folder in "$@"; do
        [ -e "$folder" ] || continue
        case "$(cd "$(dirname "$folder")" && pwd -P)/" in # the folder that any .. leads to
            "$rest"/*) echo "$folder"; return 0 ;;
        esac
    done
}

# NAME is a library or Some.framework/Versions/A/Some: its path in Homebrew, empty if none.
locate_at_brew() { # NAME
    local prefix=${EP_BREW_PREFIX:-} folder
    [ -n "$prefix" ] || prefix=$(brew --prefix 2>/dev/null) || return 0
    for folder in "$prefix/lib" "$prefix/Frameworks" "$prefix"/opt/*/lib "$prefix"/opt/*/Frameworks; do
        [ ! -e "$folder/$1" ] || { echo "$folder/$1"; return 0; }
    done
}

# What macdeployqt left out: since Homebrew has Qt in many formulae, it no longer follows every @rpath from
# one to the other. Whatever a file refers to is copied, and the reference made to hold from anywhere.
settle_references() { # APP
    local app=$1 frameworks="$1/Contents/Frameworks" file name base source framework
    local -a queue=()
    while read -r file; do
        queue+=("$file")
    done < <(mach_files "$app")
    while [ ${#queue[@]} -gt 0 ]; do
        file=${queue[0]}
        queue=("${queue[@]:1}")
        while read -r name; do
            if is_system "$name" || [ "$(basename "$name")" = "$(basename "$file")" ] \
                || [ -n "$(in_bundle "$app" "$file" "$name")" ]; then
                continue
            fi
            case "$name" in
                *.framework/*) # starting with the framework's own name
                    framework=$(basename "${name%%.framework/*}").framework
                    base=$framework/${name#*.framework/}
                    ;;
                *)
                    framework=
                    base=$(basename "$name")
                    ;;
            esac
            if [ ! -e "$frameworks/$base" ]; then
                source=$(locate_at_brew "$base")
                [ -n "$source" ] || die "$file needs $name, which is nowhere to be found"
                say "adding $base for $(basename "$file")"
                if [ -n "$framework" ]; then
                    cp -R "${source%"${base#"$framework"}"}" "$frameworks/$framework"
                    find "$frameworks/$framework" -name Headers -prune -exec rm -rf {} +
                else
                    cp -L "$source" "$frameworks/$base"
                fi
                chmod -R u+w "$frameworks/${framework:-$base}"
                install_name_tool -id "@executable_path/../Frameworks/$base" "$frameworks/$base"
                queue+=("$frameworks/$base")
            fi
            install_name_tool -change "$name" "@executable_path/../Frameworks/$base" "$file"
        done < <(libraries_of "$file")
    done
}

# Checks as dyld does: every reference ends at a file inside; no rpath leads out or occurs twice.
check_bundle() { # APP
    local app=$1 file name bad=no
    while read -r file; do
        while read -r name; do
            if is_system "$name" || [ "$(basename "$name")" = "$(basename "$file")" ]; then
                continue
            fi
            case "$name" in
                @*) [ -n "$(in_bundle "$app" "$file" "$name")" ] \
                        || { say "$file needs $name, which is not in the bundle"; bad=yes; } ;;
                *) say "$file still refers to $name"; bad=yes ;;
            esac
        done < <(libraries_of "$file")
        while read -r name; do
            say "$file has the rpath $name, which leads out of the bundle"
            bad=yes
        done < <(rpaths_of "$file" | grep -v '^@' || true)
        while read -r name; do
            say "$file has the rpath $name twice, which macOS 15.4 and later refuse"
            bad=yes
        done < <(rpaths_of "$file" | sort | uniq -d)
    done < <(mach_files "$app")
    if [ ! -e "$app/Contents/PlugIns/platforms/libqoffscreen.dylib" ]; then
        say "libqoffscreen.dylib is missing, without which \`render\` cannot draw"
        bad=yes
    fi
    [ $bad = no ] || die "the bundle would not start everywhere"
}

# All Mach-O files: libraries, plugins and frameworks first, then the program, as signing wants.
mach_files() { # APP
    local folder
    mkdir -p "$1/Contents/PlugIns"
    find "$1/Contents/Frameworks" "$1/Contents/PlugIns" -type f \( -name '*.dylib' -o -name '*.so' \) | sort
    find "$1/Contents/Frameworks" -maxdepth 1 -name '*.framework' | sort | while read -r folder; do
        find "$folder" -type f -name "$(basename "$folder" .framework)"
    done
    echo "$1/Contents/MacOS/energy-profiler"
}

# At least what every file inside needs: else Finder would start the program and dyld end it.
set_minimum() { # APP
    local app=$1 file
    while read -r file; do
        minimum_of "$file"
    done < <(mach_files "$app") | python3 -c '
import plistlib, sys
file = sys.argv[1] + "/Contents/Info.plist"
with open(file, "rb") as stream:
    info = plistlib.load(stream)
found = [line.strip() for line in sys.stdin] + [info.get("LSMinimumSystemVersion", "0")]
info["LSMinimumSystemVersion"] = max(found, key=lambda text: [int(part) for part in text.split(".")])
with open(file, "wb") as stream:
    plistlib.dump(info, stream, sort_keys=False)
print("package: starts on macOS " + info["LSMinimumSystemVersion"] + " and later", file=sys.stderr)' "$app"
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
    done < <(mach_files "$app" | grep -v '\.framework/' | sed '$d')
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
    local app=$1 out=$2 image file
    [ -d "$app/Contents/MacOS" ] || die "$app is no application bundle"
    mkdir -p "$app/Contents/Resources" "$app/Contents/Frameworks" "$out"
    say "drawing the icon"
    python3 "$here/icon.py" icns "$app/Contents/Resources/energy-profiler.icns" \
        "${EP_ICON_LARGEST:-1024}"
    printf 'APPL????' >"$app/Contents/PkgInfo"
    say "gathering libraries"
    gather_libraries "$app"
    deploy_qt "$app"
    settle_references "$app"
    while read -r file; do
        if [ -n "$(rpaths_of "$file" | grep -v '^@')" ] \
            || [ -n "$(rpaths_of "$file" | sort | uniq -d)" ]; then
            fix_rpaths "$file"
        fi
    done < <(mach_files "$app")
    check_bundle "$app"
    set_minimum "$app"
    say "signing ${EP_SIGN_IDENTITY:-ad hoc}"
    sign_bundle "$app"
    image=$(make_image "$app" "$out")
    notarise "$image"
    echo "$image"
}

usage() {
    sed -n '3,8p' "$0" >&2
    exit 2
}

main() {
    local out=dist app folder tool
    case "${1:-}" in
        --finish | --check)
            [ $# -ge 2 ] || usage
            app=$2
            out=${3:-dist}
            ;;
        -*) usage ;;
        *)
            out=${1:-dist}
            [ "$(uname -s)" = Darwin ] \
                || die "a bundle is built on a Mac; scripts/package_linux.sh makes a Debian package"
            cd "$root"
            ./scripts/setup.sh >&2
            ;;
    esac
    if [ "${1:-}" = --check ]; then
        check_bundle "$app"
        echo "every reference in $app ends inside it"
        return
    fi
    for tool in macdeployqt qtpaths otool install_name_tool codesign hdiutil python3; do
        command -v $tool >/dev/null || die "$tool is needed: install Xcode's command line tools and Qt"
    done
    if [ -z "${app:-}" ]; then
        folder=$(./scripts/build.sh release energy-profiler ep_engine_plugin | tail -n 1)
        rm -rf "$folder/bundle"
        cmake --install "$folder" --prefix "$folder/bundle" >&2
        app="$folder/bundle/Energy Profiler.app"
        # As built, it still contains the path of LibTorch.
        export EP_ENGINE_ORIGIN="$root/$folder/lib/ep-engine.so"
    fi
    finish_bundle "$app" "$out"
}

main "$@"
